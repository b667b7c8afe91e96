// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QHash>
#include <QtNetwork/QTcpServer>
#include <QtNetwork/QTcpSocket>

#include <deque>
#include <vector>

namespace testing {

/// An HTTP server on loopback. It answers each request with the next planned answer, and keeps what it was sent.
class Loopback final : public QTcpServer {
public:
    struct Answer {
        int status = 200;
        QByteArray body {};
        QByteArray headers {}; ///< lines with their ends
        bool isCut = false;    ///< closes in the middle of the body, as the length in its head shows
        bool isSilent = false; ///< says no more after the body, and does not close
    };

    Loopback()
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
    }

    void plan(Answer answer) { m_answers.push_back(std::move(answer)); }
    [[nodiscard]] QByteArray url() const { return "http://127.0.0.1:" + QByteArray::number(serverPort()); }
    /// The requests, each with its head.
    [[nodiscard]] const std::vector<QByteArray> &requests() const { return m_requests; }
    [[nodiscard]] static QByteArray bodyOf(const QByteArray &request)
    {
        return request.mid(request.indexOf("\r\n\r\n") + 4);
    }

private:
    void read(QTcpSocket *socket)
    {
        QByteArray &bytes = m_bytes[socket];
        bytes += socket->readAll();
        const qsizetype head = bytes.indexOf("\r\n\r\n");
        if (head < 0)
            return;
        const qsizetype length = bytes.toLower().indexOf("content-length: ");
        const qsizetype size
            = length < 0 ? 0 : bytes.mid(length + 16, bytes.indexOf('\r', length) - length - 16).toLongLong();
        if (bytes.size() < head + 4 + size)
            return;
        m_requests.push_back(m_bytes.take(socket));
        const Answer answer
            = m_answers.empty() ? Answer { 404, "no answer is planned", {}, false, false } : m_answers.front();
        if (!m_answers.empty())
            m_answers.pop_front();
        socket->write("HTTP/1.1 " + QByteArray::number(answer.status)
            + " x\r\ncontent-type: text/event-stream\r\nconnection: close\r\n" + answer.headers);
        if (!answer.isSilent)
            socket->write(
                "content-length: " + QByteArray::number(answer.body.size() + (answer.isCut ? 100 : 0)) + "\r\n");
        socket->write("\r\n" + answer.body);
        if (!answer.isSilent)
            socket->disconnectFromHost();
    }

    std::deque<Answer> m_answers;
    std::vector<QByteArray> m_requests;
    QHash<QTcpSocket *, QByteArray> m_bytes;
};

} // namespace testing
