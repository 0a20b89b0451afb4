"""Getters that look at the machine: OSWorld's and ours, by the names that task files use.

Guarantees: a getter only looks, and every wait in it is bounded. What is not on the machine is a
FileNotFoundError, which scores 0; what the task itself lacks (a page of the internet, an account)
is another error, which makes the episode invalid. Getters that need no machine are in
`envs.osworld.outside.getters`.
"""

from __future__ import annotations

from envs.osworld.format.getters import Getter
from envs.osworld.inside.getters import (
    chromium_databases,
    chromium_page,
    chromium_preferences,
    chromium_profile,
    chromium_settings,
    chromium_tabs,
    chromium_websites,
    commands,
    files,
    folders,
    mail,
    programs,
    screen,
    slides,
    unsupported,
)

GETTERS: dict[str, Getter] = {
    "history": chromium_databases.history,
    "cookie_data": chromium_databases.cookie_data,
    "active_tab_html_parse": chromium_page.active_tab_html_parse,
    "chromium_bookmarks": chromium_profile.chromium_bookmarks,
    "bookmarks": chromium_profile.bookmarks,
    "chromium_preferences": chromium_profile.chromium_preferences,
    "enabled_experiments": chromium_profile.enabled_experiments,
    "chrome_language": chromium_profile.chrome_language,
    "shortcuts_on_desktop": chromium_profile.shortcuts_on_desktop,
    "find_unpacked_extension_path": chromium_profile.find_unpacked_extension_path,
    "find_installed_extension_name": chromium_profile.find_installed_extension_name,
    "new_startup_page": chromium_settings.new_startup_page,
    "chrome_appearance_mode_ui": chromium_settings.chrome_appearance_mode_ui,
    "chromium_tabs": chromium_tabs.chromium_tabs,
    "open_tabs_info": chromium_tabs.open_tabs_info,
    "active_url_from_accessTree": chromium_tabs.active_url,
    "active_tab_info": chromium_tabs.active_tab_info,
    "active_tab_url_parse": chromium_tabs.active_tab_url_parse,
    "url_dashPart": chromium_tabs.url_dash_part,
    "url_path_parse": chromium_tabs.macys_product_url_parse,
    "macys_product_url_parse": chromium_tabs.macys_product_url_parse,
    "page_info": chromium_websites.page_info,
    "pdf_from_url": chromium_websites.pdf_from_url,
    "number_of_search_results": chromium_websites.number_of_search_results,
    "info_from_website": chromium_websites.info_from_website,
    "gotoRecreationPage_and_get_html_content": chromium_websites.recreation_page,
    "vm_command_line": commands.vm_command_line,
    "vm_command_error": commands.vm_command_error,
    "vm_file": files.vm_file,
    "cache_file": files.cache_file,
    "content_from_vm_file": files.content_from_vm_file,
    "list_directory": files.list_directory,
    "conference_city_in_order": files.conference_city_in_order,
    "home_changes": files.home_changes,
    "vm_folder": folders.vm_folder,
    "mailboxes": mail.mailboxes,
    "vlc_config": programs.vlc_config,
    "vlc_playing_info": programs.vlc_playing_info,
    "default_video_player": programs.default_video_player,
    "gimp_config_file": programs.gimp_config_file,
    "vscode_config": programs.vscode_config,
    "accessibility_tree": screen.accessibility_tree,
    "vm_terminal_output": screen.vm_terminal_output,
    "vm_screen_size": screen.vm_screen_size,
    "vm_window_size": screen.vm_window_size,
    "vm_wallpaper": screen.vm_wallpaper,
    "replay": screen.replay,
    "audio_in_slide": slides.audio_in_slide,
    "background_image_in_slide": slides.background_image_in_slide,
    **chromium_preferences.GETTERS,
    **unsupported.GETTERS,
}
