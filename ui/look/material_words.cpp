// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/material_words.h"

#include <QCoreApplication>

namespace ui {

namespace {

struct MaterialWords {
    Q_DECLARE_TR_FUNCTIONS(ui::MaterialWords)
};

} // namespace

QString materialName(core::Material material)
{
    switch (material) {
    case core::Material::Prose:
        return MaterialWords::tr("prose");
    case core::Material::ToolRequest:
        return MaterialWords::tr("tool calls");
    case core::Material::Bulk:
        return MaterialWords::tr("files and output");
    case core::Material::Arguments:
        return MaterialWords::tr("arguments");
    case core::Material::Thinking:
        return MaterialWords::tr("thinking");
    case core::Material::Image:
        return MaterialWords::tr("images");
    case core::Material::System:
        return MaterialWords::tr("harness");
    case core::Material::Summary:
        return MaterialWords::tr("summaries");
    }
    return {};
}

QString materialMeaning(core::Material material)
{
    switch (material) {
    case core::Material::Prose:
        return MaterialWords::tr("What the user and the model wrote, and short results.");
    case core::Material::ToolRequest:
        return MaterialWords::tr("Tool calls with short arguments.");
    case core::Material::Bulk:
        return MaterialWords::tr("File bodies, logs and the output of commands.");
    case core::Material::Arguments:
        return MaterialWords::tr("Tool calls that contain a file body or another long text.");
    case core::Material::Thinking:
        return MaterialWords::tr("The thinking of the model.");
    case core::Material::Image:
        return MaterialWords::tr("Images.");
    case core::Material::System:
        return MaterialWords::tr("Text that the harness added to the messages.");
    case core::Material::Summary:
        return MaterialWords::tr("Summaries that a compaction wrote.");
    }
    return {};
}

} // namespace ui
