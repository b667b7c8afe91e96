// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QDialog>

class QTextBrowser;
class QUrl;

namespace ui {

/// The manual, as it is in the program's resources. Not modal.
class ManualPage final : public QDialog {
    Q_OBJECT

public:
    explicit ManualPage(QWidget *parent);

private:
    /// Markdown headings have no anchors: finds the heading that the fragment names.
    void goToHeading(const QString &fragment);
    void follow(const QUrl &link);

    QTextBrowser *m_text;
};

} // namespace ui
