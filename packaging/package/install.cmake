# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
#
# What is installed where, and the Debian package. Made by `packaging/dev package`.

include(GNUInstallDirs)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(made ${PROJECT_BINARY_DIR}/install)

# The project has no address yet; a name that ends with .example belongs to nobody. The homepage, the maintainer's address and
# the name in software centres follow from it, and the Flatpak manifest repeats that name.
set(PALIMPSEST_DOMAIN palimpsest.example)
set(PALIMPSEST_DEVELOPER_ID example.palimpsest)
set(PALIMPSEST_APP_ID ${PALIMPSEST_DEVELOPER_ID}.Palimpsest)
# Of the variable SOURCE_DATE_EPOCH, if it is set.
string(TIMESTAMP PALIMPSEST_DATE "%Y-%m-%d" UTC)
string(TIMESTAMP PALIMPSEST_CHANGELOG_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Palimpsest contributors <packages@${PALIMPSEST_DOMAIN}>")

configure_file(${here}/metainfo.xml.in ${made}/${PALIMPSEST_APP_ID}.metainfo.xml @ONLY)
configure_file(${here}/changelog.in ${made}/changelog @ONLY)

install(TARGETS palimpsest)
install(FILES ${here}/palimpsest.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${here}/palimpsest-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME palimpsest.xml)
install(FILES ${made}/${PALIMPSEST_APP_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${PROJECT_SOURCE_DIR}/resources/icon/palimpsest.svg
  DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${here}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/palimpsest)

# The program writes its manual page and its completions.
install(CODE "
  function(palimpsest_write file)
    execute_process(COMMAND \"$<TARGET_FILE:palimpsest>\" \${ARGN} OUTPUT_FILE \${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  palimpsest_write(${made}/palimpsest.1 man)
  palimpsest_write(${made}/palimpsest.bash completions bash)
  palimpsest_write(${made}/_palimpsest completions zsh)
  palimpsest_write(${made}/palimpsest.fish completions fish)
  execute_process(COMMAND gzip -9nkf ${made}/palimpsest.1 ${made}/changelog COMMAND_ERROR_IS_FATAL ANY)
")
install(FILES ${made}/palimpsest.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/palimpsest)
install(FILES ${made}/palimpsest.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME palimpsest)
install(FILES ${made}/_palimpsest DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/palimpsest.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME palimpsest)
set(CPACK_PACKAGE_VENDOR "Palimpsest contributors")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE https://${PALIMPSEST_DOMAIN})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "inspector for transcripts of coding agents")
set(CPACK_PACKAGE_DESCRIPTION "A coding agent sends its whole array of messages to the model at every call.
When the array grows too long, the agent's harness shortens it: a compaction.
Palimpsest opens a recorded session and shows that array at any call: what is
in it, how large each item is, and what each compaction removed. It also shows
what another compaction policy would have done.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time: the platforms of the window, the icon.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-qpa-plugins, qt6-svg-plugins")
# Wayland, WebP images, the fonts that the window asks for.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "fonts-inter, fonts-noto-core, fonts-noto-mono, qt6-image-formats-plugins, qt6-wayland")
include(CPack)
