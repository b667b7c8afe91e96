// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_header_painter.h"

#include "core/base/text.h"
#include "core/replay/replay_figures.h"
#include "ui/array/array_words.h"
#include "ui/hub/replays.h"
#include "ui/look/fate_word.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kFigureGap = 12; ///< left of the figure

QString fileName(const std::optional<AfterFile> &file)
{
    return file ? QString::fromStdString(file->path.filename().string()) : QString();
}

} // namespace

void ArrayHeaderPainter::paint(ArraySide side) const
{
    const Theme &theme = m_content.theme();
    const QRectF rect = m_view.columnRect(side);
    Words words = wordsOf(side);
    fit(words, side, rect.width());
    m_painter.setFont(Theme::figureFont(13));
    m_painter.setPen(theme.text);
    const double figureWidth = wordsWidth(m_painter, words.figure) + kFigureGap;
    drawWords(m_painter, QRectF(rect.left(), 8, rect.width(), 20), Qt::AlignRight | Qt::AlignVCenter, words.figure);
    m_painter.setFont(Theme::strongFont(14));
    if (side == ArraySide::After && m_content.state().picture().simulated
        && wordsWidth(m_painter, words.title) > rect.width() - figureWidth)
        words.title = tr("simulated"); // the Policy panel names the policy
    drawWords(m_painter, QRectF(rect.left(), 8, rect.width() - figureWidth, 20), Qt::AlignLeft | Qt::AlignVCenter,
        elidedWords(m_painter, words.title, rect.width() - figureWidth));
    m_painter.setFont(smallArrayFont());
    m_painter.setPen(theme.secondary);
    drawWords(m_painter, QRectF(rect.left(), 28, rect.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
        elidedWords(m_painter, words.under, rect.width()));
}

ArrayHeaderPainter::Words ArrayHeaderPainter::wordsOf(ArraySide side) const
{
    const ArrayPicture &picture = m_content.state().picture();
    const core::ArraySum &sum = side == ArraySide::Before ? picture.sum : picture.sumAfter;
    const core::Weights &weights = picture.weights;
    QString title;
    QString under;
    const bool isTokens = weights.unit() == core::WeightUnit::Tokens;
    const QString figure = tr("%1 %2").arg(
        displayText(isTokens ? core::shown(sum.total()) : weights.shown(m_content.column(side).wholeWeight())),
        displayText(weights.unitName()));
    const QString count = slotCount(side);
    const double missing = isTokens ? sum.unloggedWithFraming() + (sum.isPreludeRecorded ? 0 : sum.prelude) : 0;
    const QString notLogged = missing > 0
        ? tr(" · %1 tokens not in the log").arg(displayText(core::shown({ missing, core::Basis::Estimated })))
        : QString();
    if (side == ArraySide::Before) {
        const auto call = static_cast<qulonglong>(picture.position.call.value());
        const std::string &name = m_content.state().workspace().arrayName();
        title = !name.empty() ? tr("before · %1").arg(displayText(name))
            : picture.compaction != nullptr
            ? tr("before compaction %1").arg(static_cast<qulonglong>(picture.compactionNumber))
            : picture.position.isEnd() ? tr("messages at the end")
                                       : tr("messages at call %1").arg(call);
        under = !isTokens ? count : knownWords(sum) + u" · "_s + count + (sum.isRecorded() ? QString() : notLogged);
        if (picture.compaction != nullptr)
            under += responseWords();
    } else if (picture.simulated) {
        const auto &policy = m_content.state().workspace().plan().policy;
        title = policy ? tr("simulated · %1").arg(displayText(policy->name)) : tr("simulated · your changes");
        under = ownRunWords() + differenceWords(count);
        if (m_content.state().workspace().plan().honoursTriggers)
            under += tr(" · acts only when triggered");
    } else if (picture.ownRun) {
        title = tr("own run · %1").arg(displayText(m_content.state().workspace().plan().policy->name));
        under = tr("what the policy sends if it runs from the first call · ") + differenceWords(count);
    } else if (picture.observed) {
        title = tr("after · %1").arg(fileName(m_content.state().workspace().afterFile()));
        under = tr("observed · %1").arg(differenceWords(count));
    } else {
        title = tr("after compaction %1").arg(static_cast<qulonglong>(picture.compactionNumber));
        under = tr("recorded · %1 · %2").arg(compactionWord(picture.compaction->kind), count) + notLogged;
    }
    return { title, under, figure };
}

void ArrayHeaderPainter::fit(Words &words, ArraySide side, double width) const
{
    const ArrayPicture &picture = m_content.state().picture();
    const bool isBeforeCompaction = side == ArraySide::Before && picture.compaction != nullptr;
    if (const auto &cache = m_content.cacheOf(side)) {
        const QFontMetricsF metrics(smallArrayFont());
        const QString cached = u" · "_s + cache->words();
        // In order of importance: savings of a policy, cache, basis of the figures.
        if (metrics.horizontalAdvance(words.under + cached) <= width)
            words.under += cached;
        else if (side == ArraySide::Before || !picture.made())
            words.under = slotCount(side) + (isBeforeCompaction ? responseWords() : cached);
    }
    const QFontMetricsF title(Theme::strongFont(14));
    const QFontMetricsF figure(Theme::figureFont(13));
    if (title.horizontalAdvance(words.title) + figure.horizontalAdvance(words.figure) + kFigureGap > width)
        words.figure = words.figure.section(u' ', 0, -2); // the switch above names the unit, too
    if (width >= kNarrowColumn)
        return;
    words.figure = words.figure.section(u' ', 0, 0);
    if (side == ArraySide::Before && !picture.position.isEnd())
        words.title = tr("call %1").arg(static_cast<qulonglong>(picture.position.call.value()));
}

/// The simulated array is made from the recorded one. In its own run, the policy may have acted before this call.
QString ArrayHeaderPainter::ownRunWords() const
{
    const ArrayPicture &picture = m_content.state().picture();
    const core::ReplayPtr &replay = m_content.state().workspace().replays().current();
    if (!replay || replay->ground->log.session != m_content.state().session()
        || replay->ground->log.thread != picture.position.thread || picture.weights.unit() != core::WeightUnit::Tokens)
        return {};
    const size_t call = picture.position.isEnd() ? replay->callCount() : picture.position.call.index();
    const core::TokenFigure sent = core::promptFigure(*replay, call);
    const double here = picture.sumAfter.total().value;
    if (std::abs(sent.value - here) < 0.01 * here)
        return {};
    return tr("own run: %1 · ").arg(displayText(core::shown(sent)));
}

/// A compaction has one message more than the call before it was sent.
QString ArrayHeaderPainter::responseWords() const
{
    const core::CallIndex call = m_content.state().picture().position.call;
    return call.isValid() ? tr(" · with the response of call %1").arg(call.value()) : QString();
}

QString ArrayHeaderPainter::slotCount(ArraySide side) const
{
    return counted(m_content.column(side).transcript().slotCount(), tr("slot"), tr("slots"));
}

/// How sure the figure is, and whether the slots are what was sent.
QString ArrayHeaderPainter::knownWords(const core::ArraySum &sum)
{
    if (sum.isDoubtful)
        return tr("estimated; by usage %1, which is probably wrong")
            .arg(displayText(core::groupedNumber(static_cast<uint64_t>(sum.recorded))));
    const QString notSent = sum.notSent > 0
        ? tr("; %1 tokens in the slots were not sent")
              .arg(displayText(core::shown({ sum.notSent, core::Basis::Estimated })))
        : QString();
    return (!sum.isRecorded() ? tr("estimated") : notSent.isEmpty() ? tr("as sent, exact") : tr("exact")) + notSent;
}

QString ArrayHeaderPainter::differenceWords(const QString &count) const
{
    const core::Weights &weights = m_content.state().weights();
    const double was = m_content.beforeSums().back();
    const double now = m_content.slotsAfter();
    const bool isAll
        = m_content.before().wholeWeight() - was < 1; // else there is a prelude or unlogged text beside the slots
    QString words = (isAll ? tr("%1 · %2 → %3") : tr("%1 · slots alone %2 → %3"))
                        .arg(count, displayText(weights.shown(was)), displayText(weights.shown(now)));
    if (was > 0 && now != was)
        words += u" · "_s + (now > was ? u"+"_s : QString())
            + tr("%1 %").arg(QLocale::c().toString((now - was) * 100 / was, 'f', 0));
    return words.replace(u'-', u'\u2212');
}

} // namespace ui
