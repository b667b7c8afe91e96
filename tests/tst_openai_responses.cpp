// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT
#include <QTest>
class T final : public QObject { Q_OBJECT };
QTEST_GUILESS_MAIN(T)
#include "tst_openai_responses.moc"
