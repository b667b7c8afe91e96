// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/summary/summary_call.h"

#include "core/base/counted.h"
#include "core/json/json.h"

#include <QDateTime>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkRequest>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qint64 kMostErrorBody = 65'536;

/// The message in a server's body of an error, or the body itself.
std::string messageIn(const QByteArray &body)
{
    const core::Json json = core::parseJson({ body.data(), static_cast<size_t>(body.size()) });
    const core::Json *value = &json;
    if (value->is_array() && !value->empty()) // Google's may be a list of one
        value = &value->front();
    if (value->is_object() && value->contains("error"))
        value = &(*value)["error"];
    if (value->is_object() && value->contains("message"))
        value = &(*value)["message"];
    return value->is_string() ? value->get<std::string>() : body.toStdString();
}

std::string seconds(std::chrono::milliseconds time)
{
    const auto count = std::chrono::ceil<std::chrono::seconds>(time).count();
    return core::counted(static_cast<uint64_t>(count), "second");
}

} // namespace

SummaryCall::SummaryCall(QObject *parent)
    : QObject(parent)
    , m_stream(m_api)
{
    for (QTimer *timer : { &m_silence, &m_total, &m_wait })
        timer->setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        fail(core::ErrorKind::NotReadable, "The server sent nothing for " + seconds(m_limits.silence) + ".");
    });
    connect(&m_total, &QTimer::timeout, this, [this] {
        fail(core::ErrorKind::NotReadable, "The answer was not complete after " + seconds(m_limits.total) + ".");
    });
    connect(&m_wait, &QTimer::timeout, this, &SummaryCall::send);
}

SummaryCall::~SummaryCall()
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
    }
}

void SummaryCall::start(
    const core::SummaryRequest &request, core::SummaryApi api, const std::string &key, const SummaryLimits &limits)
{
    Q_ASSERT(!m_isRunning);
    m_request = request;
    m_api = api;
    m_key = key;
    m_limits = limits;
    m_retries = 0;
    m_isRunning = true;
    if (request.isLoopback)
        m_network.setProxy(QNetworkProxy::NoProxy);
    m_total.start(limits.total);
    send();
}

void SummaryCall::cancel()
{
    if (m_isRunning)
        finish(core::failure(core::ErrorKind::Cancelled, "Cancelled. Nothing was changed."));
}

void SummaryCall::send()
{
    m_stream = core::NoteStream(m_api);
    QNetworkRequest request(QUrl(QString::fromStdString(m_request.url), QUrl::StrictMode));
    for (const auto &[name, value] : m_request.headers)
        request.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    if (!m_key.empty()) {
        request.setRawHeader(
            QByteArray::fromStdString(m_request.keyHeader), QByteArray::fromStdString(m_request.keyPrefix + m_key));
    }
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    m_reply = m_network.post(request, QByteArray::fromStdString(m_request.body));
    connect(m_reply, &QNetworkReply::readyRead, this, &SummaryCall::read);
    connect(m_reply, &QNetworkReply::uploadProgress, this, [this] { m_silence.start(m_limits.silence); });
    connect(m_reply, &QNetworkReply::finished, this, &SummaryCall::end);
    m_silence.start(m_limits.silence);
}

void SummaryCall::read()
{
    m_silence.start(m_limits.silence);
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status != 200) {
        if (m_reply->bytesAvailable() > kMostErrorBody)
            refuse(status);
        return; // the whole body is read at the end
    }
    const QByteArray bytes = m_reply->readAll();
    const std::string text = m_stream.feed({ bytes.data(), static_cast<size_t>(bytes.size()) });
    if (!text.empty())
        Q_EMIT textAdded(QString::fromStdString(text));
    if (const auto &error = m_stream.error())
        fail(error->kind, error->message);
}

void SummaryCall::end()
{
    m_silence.stop();
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0)
        return fail(core::ErrorKind::NotReadable,
            "The server at " + m_request.host + " cannot be reached: " + m_reply->errorString().toStdString() + ".");
    if (status != 200) {
        const auto wait = waitFor(status);
        if (!wait || *wait > m_limits.longestWait || m_retries >= m_limits.retries)
            return refuse(status);
        ++m_retries;
        m_reply->disconnect(this);
        m_reply->deleteLater();
        m_reply = nullptr;
        m_wait.start(*wait);
        Q_EMIT waits(*wait);
        return;
    }
    read();
    if (!m_isRunning)
        return;
    auto result = m_stream.finished();
    if (!result)
        return fail(result.error().kind, result.error().message);
    finish(std::move(result));
}

/// How long to wait before the request is sent again; nullopt if that would not help.
std::optional<std::chrono::milliseconds> SummaryCall::waitFor(int status) const
{
    if (status != 429 && status < 500)
        return std::nullopt;
    const QString after = QString::fromLatin1(m_reply->rawHeader("retry-after")).trimmed();
    bool isNumber = false;
    const double given = after.toDouble(&isNumber);
    if (isNumber && given >= 0 && given < 1e6)
        return std::chrono::milliseconds(static_cast<int64_t>(given * 1000));
    if (const QDateTime time = QDateTime::fromString(after, Qt::RFC2822Date); time.isValid()) {
        return std::chrono::milliseconds(std::max<int64_t>(0, QDateTime::currentDateTimeUtc().msecsTo(time)));
    }
    return m_limits.firstWait * (1 << m_retries);
}

/// Ends with what an answer other than 200 says.
void SummaryCall::refuse(int status)
{
    const std::string code = std::to_string(status);
    if (status >= 300 && status < 400)
        return fail(core::ErrorKind::NotReadable,
            "The server answers with a redirect (" + code + "). Redirects are not followed.");
    const auto wait = waitFor(status);
    std::string sentence = "The server answers " + code + ": " + messageIn(m_reply->read(kMostErrorBody));
    if (m_retries > 0)
        sentence += " (after " + core::counted(static_cast<uint64_t>(m_retries), "more attempt") + ")";
    else if (wait && *wait > m_limits.longestWait)
        sentence += " (it asks to wait " + seconds(*wait) + ")";
    fail(core::ErrorKind::NotReadable, sentence);
}

void SummaryCall::fail(core::ErrorKind kind, const std::string &sentence)
{
    finish(core::failure(kind, core::serverWords(sentence, m_key)));
}

void SummaryCall::finish(core::Result<std::string> result)
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply = nullptr;
    }
    for (QTimer *timer : { &m_silence, &m_total, &m_wait })
        timer->stop();
    std::ranges::fill(m_key, '\0');
    m_key.clear();
    m_isRunning = false;
    m_result = std::move(result);
    Q_EMIT finished();
}

} // namespace ui
