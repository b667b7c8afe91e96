// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/look/theme.h"

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace ui {

/// The page of an empty window: a place to drop a file, the bundled sample, recent files, and sessions in the folders
/// where harnesses store them.
class EmptyPage final : public QWidget {
    Q_OBJECT

public:
    explicit EmptyPage(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Updates the recent files and sessions.
    void refresh();

Q_SIGNALS:
    void openRequested();
    void sampleRequested();
    void tourRequested();
    void fileChosen(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Found {
        QString path;
        QString label;
    };
    void fill(QVBoxLayout *into, const QString &heading, const std::vector<Found> &files);

    Theme m_theme = Theme::make(Appearance::Light);
    QPushButton *m_tour;
    QVBoxLayout *m_recent;
    QVBoxLayout *m_found;
    Job<std::vector<Found>> m_search;
};

} // namespace ui
