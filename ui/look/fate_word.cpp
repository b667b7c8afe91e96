// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/fate_word.h"

#include <QCoreApplication>

namespace ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Fate)
};

} // namespace

QString fateWord(core::Fate fate)
{
    switch (fate) {
    case core::Fate::Kept:
        return Words::tr("kept");
    case core::Fate::Shortened:
        return Words::tr("shortened");
    case core::Fate::Replaced:
        return Words::tr("replaced");
    case core::Fate::Offloaded:
        return Words::tr("offloaded");
    case core::Fate::Cleared:
        return Words::tr("cleared");
    case core::Fate::Dropped:
        return Words::tr("dropped");
    case core::Fate::Summarised:
        return Words::tr("summarised");
    case core::Fate::Edited:
        return Words::tr("edited");
    case core::Fate::Inserted:
        return Words::tr("inserted");
    case core::Fate::Added:
        return Words::tr("added");
    }
    return {};
}

QString compactionWord(core::CompactionKind kind)
{
    switch (kind) {
    case core::CompactionKind::Summary:
        return Words::tr("summary");
    case core::CompactionKind::Clearing:
        return Words::tr("clearing");
    case core::CompactionKind::Replacement:
        return Words::tr("replacement");
    case core::CompactionKind::Rollback:
        return Words::tr("rollback");
    }
    return {};
}

} // namespace ui
