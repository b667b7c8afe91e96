// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"

/// All formats. Of two that are equally sure of a file, the first one reads it. To add one, write a file that defines
/// `const Format NAME`, and name it here.
#define PALIMPSEST_FORMATS(FORMAT)                                                                                     \
    FORMAT(kClaudeCode)                                                                                                \
    FORMAT(kClaudeSdkStream)                                                                                           \
    FORMAT(kCodex)                                                                                                     \
    FORMAT(kPi)                                                                                                        \
    FORMAT(kAnthropicMessages)                                                                                         \
    FORMAT(kOpenAiResponses)                                                                                           \
    FORMAT(kGenkit)                                                                                                    \
    FORMAT(kOpenAiChat)                                                                                                \
    FORMAT(kLangChain)                                                                                                 \
    FORMAT(kGeminiCli)                                                                                                 \
    FORMAT(kGeminiCliLog)                                                                                              \
    FORMAT(kGeminiContents)                                                                                            \
    FORMAT(kSweAgent)                                                                                                  \
    FORMAT(kMiniSweAgent)                                                                                              \
    FORMAT(kOpenHands)                                                                                                 \
    FORMAT(kOpenHandsEvents)                                                                                           \
    FORMAT(kCline)                                                                                                     \
    FORMAT(kInspect)                                                                                                   \
    FORMAT(kAtif)                                                                                                      \
    FORMAT(kQwenCode)                                                                                                  \
    FORMAT(kCopilotCli)                                                                                                \
    FORMAT(kKimiCli)                                                                                                   \
    FORMAT(kCrush)                                                                                                     \
    FORMAT(kOpencodeGo)                                                                                                \
    FORMAT(kOpencode)                                                                                                  \
    FORMAT(kOpencodeExport)                                                                                            \
    FORMAT(kGoose)                                                                                                     \
    FORMAT(kGooseLog)                                                                                                  \
    FORMAT(kGooseExport)                                                                                               \
    FORMAT(kKiroCli)                                                                                                   \
    FORMAT(kCursor)                                                                                                    \
    FORMAT(kDroid)                                                                                                     \
    FORMAT(kGrokCli)                                                                                                   \
    FORMAT(kAntigravity)                                                                                               \
    FORMAT(kAider)                                                                                                     \
    FORMAT(kProviderMessage)

/// Those whose readers nobody has tried on a long session yet. They were written after the source code or the
/// documentation of the harness, and tested on fixtures.
#define PALIMPSEST_FORMATS_ON_FIXTURES(FORMAT)                                                                         \
    FORMAT(kQwenCode)                                                                                                  \
    FORMAT(kCopilotCli)                                                                                                \
    FORMAT(kOpencode)                                                                                                  \
    FORMAT(kOpencodeExport)                                                                                            \
    FORMAT(kGoose)                                                                                                     \
    FORMAT(kGooseLog)                                                                                                  \
    FORMAT(kGooseExport)                                                                                               \
    FORMAT(kKiroCli)                                                                                                   \
    FORMAT(kCursor)                                                                                                    \
    FORMAT(kDroid)                                                                                                     \
    FORMAT(kGrokCli)                                                                                                   \
    FORMAT(kAntigravity)                                                                                               \
    FORMAT(kAider)                                                                                                     \
    FORMAT(kProviderMessage)

namespace core {

#define PALIMPSEST_DECLARE_FORMAT(name) extern const Format name;
PALIMPSEST_FORMATS(PALIMPSEST_DECLARE_FORMAT)
#undef PALIMPSEST_DECLARE_FORMAT

/// Whether the reader of this format was tried on recorded sessions.
[[nodiscard]] bool isProven(const Format &format);

} // namespace core
