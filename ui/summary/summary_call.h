// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/summary/note_stream.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>

#include <chrono>
#include <string>

namespace ui {

/// Bounds of one request for a note.
struct SummaryLimits {
    std::chrono::milliseconds silence { 90'000 };     ///< without any byte
    std::chrono::milliseconds total { 600'000 };      ///< with all retries
    std::chrono::milliseconds longestWait { 60'000 }; ///< for `Retry-After`; a server that asks for more is given up
    std::chrono::milliseconds firstWait { 2'000 };    ///< without `Retry-After`; doubles with each retry
    int retries = 2;
};

/// Sends one request for a note and reads its streamed answer. This is the only place that opens a network connection,
/// and it does so only in `start`. It follows no redirect, sends no cookie, and keeps the key only while it runs. An
/// answer 429 or 5xx is tried again.
class SummaryCall final : public QObject {
    Q_OBJECT

public:
    explicit SummaryCall(QObject *parent = nullptr);
    ~SummaryCall() override;

    void start(const core::SummaryRequest &request, core::SummaryApi api, const std::string &key,
        const SummaryLimits &limits = {});
    /// Ends the request; `finished` follows with the error Cancelled.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

    /// The whole note, or why there is none. Valid once `finished` was emitted.
    [[nodiscard]] const core::Result<std::string> &result() const { return m_result; }
    /// As the server reported it.
    [[nodiscard]] const std::optional<core::Usage> &usage() const { return m_stream.usage(); }

Q_SIGNALS:
    void textAdded(const QString &text);
    /// The server asked to wait; the request is sent again after that.
    void waits(std::chrono::milliseconds time);
    void finished();

private:
    void send();
    void read();
    void end();
    void refuse(int status);
    [[nodiscard]] std::optional<std::chrono::milliseconds> waitFor(int status) const;
    void finish(core::Result<std::string> result);
    void fail(core::ErrorKind kind, const std::string &sentence);

    QNetworkAccessManager m_network;
    QPointer<QNetworkReply> m_reply;
    QTimer m_silence;
    QTimer m_total;
    QTimer m_wait;
    core::SummaryRequest m_request;
    core::SummaryApi m_api = core::SummaryApi::Anthropic;
    std::string m_key;
    SummaryLimits m_limits;
    core::NoteStream m_stream;
    core::Result<std::string> m_result;
    int m_retries = 0;
    bool m_isRunning = false;
};

} // namespace ui
