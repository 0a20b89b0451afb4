"""The metrics of each module, by the package that it lies in.

Names only: nothing of a package is imported before a metric of it is needed.
"""

from __future__ import annotations

Modules = dict[str, tuple[str, ...]]
"""Names of metrics, by their module."""

METRICS: Modules = {
    "documents": ("document_is",),
    "folders": (
        "folder_is",
        "text_is",
        "archive_is",
    ),
    "formulas": ("formulas_use",),
    "general": (
        "same_answer",
        "only_changed",
    ),
    "mail": ("mail_is",),
    "presentations": ("presentation_is",),
    "sheet_formatting": (
        "workbook_looks",
        "workbook_shows",
    ),
    "workbooks": ("workbook_is",),
}

PUBLISHED: Modules = {
    "accessibility": ("check_accessibility_tree",),
    "archives": (
        "compare_archive",
        "compare_htmls",
    ),
    "basic_os": (
        "check_gnome_favorite_apps",
        "is_utc_0",
        "check_text_enlarged",
        "check_moved_jpgs",
        "is_in_vm_clickboard",
    ),
    "chrome": (
        "is_expected_active_tab",
        "is_expected_active_tab_approximate",
        "is_expected_url_pattern_match",
        "is_expected_search_query",
        "is_expected_tabs",
        "is_expected_installed_extensions",
        "is_expected_bookmarks",
        "is_cookie_deleted",
        "is_shortcut_on_desktop",
        "check_history_deleted",
        "check_enabled_experiments",
        "check_font_size",
        "is_added_to_steam_cart",
    ),
    "csv_files": (
        "compare_csv",
        "check_csv",
        "compare_time_in_speedtest_results",
    ),
    "epub": ("compare_epub",),
    "gimp": (
        "compare_image_list",
        "check_file_exists",
        "increase_saturation",
        "decrease_brightness",
        "check_brightness_decrease_and_structure_sim",
        "check_saturation_increase_and_structure_sim",
        "check_contrast_increase_and_structure_sim",
        "check_file_exists_and_structure_sim",
        "check_structure_sim",
        "check_structure_sim_with_threshold",
        "check_structure_sim_resized",
        "check_palette_and_structure_sim",
        "check_image_mirror",
        "check_sharper",
        "check_image_file_size",
        "check_image_size",
        "check_config_status",
    ),
    "gimp_positions": (
        "check_triangle_position",
        "compare_triangle_positions",
        "check_textbox_on_leftside",
        "check_green_background",
    ),
    "image_text": ("compare_image_text",),
    "json_values": (
        "check_json",
        "check_direct_json_object",
        "is_included_all_json_objects",
    ),
    "libreoffice": ("check_libre_locale",),
    "media_tags": ("check_mp3_meta",),
    "office_settings": (
        "find_default_font",
        "check_presenter_console_disable",
        "check_auto_saving_time",
    ),
    "office_world": (
        "simple_docx_compare",
        "simple_pptx_compare",
    ),
    "pdf": (
        "check_pdf_pages",
        "compare_pdfs",
        "compare_pdf_images",
        "is_gold_text_included_in_pdf",
    ),
    "place_names": ("fuzzy_place_math",),
    "plain_texts": (
        "check_list",
        "check_line_number",
        "file_contains",
        "compare_terminal_and_txt",
        "diff_text_file",
        "compare_python_pure_text",
    ),
    "python_files": (
        "check_python_file_by_test_suite",
        "check_python_file_by_gold_file",
    ),
    "slide_numbers": (
        "check_page_number_colors",
        "check_slide_numbers_color",
    ),
    "slides_compare": ("compare_pptx_files",),
    "slides_formatting": (
        "check_slide_orientation_Portrait",
        "check_image_stretch_and_center",
        "check_strikethrough",
        "evaluate_presentation_fill_to_rgb_distance",
        "check_left_panel",
        "check_transition",
    ),
    "spreadsheet_answers": ("compare_spreadsheet",),
    "sqlite": ("run_sqlite3",),
    "table": (
        "compare_table",
        "compare_conference_city_in_order",
    ),
    "text_files": (
        "compare_text_file",
        "compare_result_files",
        "compare_zip_files",
    ),
    "thunderbird": (
        "check_thunderbird_prefs",
        "check_thunderbird_filter",
        "check_thunderbird_folder",
    ),
    "train_records": (
        "compare_unique_train_records",
        "check_no_duplicates",
        "get_unique_train_ids",
    ),
    "values": (
        "exact_match",
        "match_in_list",
        "is_in_list",
        "check_include_exclude",
        "fuzzy_match",
        "literal_match",
    ),
    "vlc": (
        "is_vlc_playing",
        "is_vlc_fullscreen",
        "is_vlc_recordings_folder",
        "check_qt_slider_colours",
        "check_global_key_play_pause",
        "check_qt_bgcone",
        "check_qt_max_volume",
        "check_qt_minimal_view",
        "check_one_instance_when_started_from_file",
        "check_play_and_exit",
    ),
    "vlc_media": (
        "compare_images",
        "compare_audios",
        "compare_videos",
    ),
    "vscode": (
        "check_json_keybindings",
        "check_json_settings",
        "compare_config",
        "compare_answer",
        "is_extension_installed",
        "check_html_background_image",
    ),
    "word_formatting": (
        "compare_font_names",
        "compare_subscript_contains",
        "evaluate_strike_through_last_paragraph",
        "check_italic_font_size_14",
        "evaluate_colored_words_in_tables",
        "compare_highlighted_text",
        "check_highlighted_words",
    ),
    "word_pages": (
        "contains_page_break",
        "has_page_numbers_in_footers",
        "is_first_line_centered",
        "compare_line_spacing",
        "evaluate_spacing",
        "evaluate_alignment",
        "check_tabstops",
    ),
    "word_pictures": (
        "compare_docx_images",
        "compare_contains_image",
        "compare_insert_equation",
    ),
    "word_text": (
        "compare_docx_files",
        "compare_docx_files_and_ignore_new_lines",
        "compare_init_lines",
        "compare_docx_lines",
        "compare_docx_tables",
        "compare_references",
        "evaluate_conversion",
    ),
}

COMPAT: Modules = {
    "slides_compare": ("compare_pptx_files",),
    "table": ("compare_table",),
    "thunderbird": (
        "check_thunderbird_filter",
        "check_thunderbird_folder",
    ),
}

PACKAGES: dict[str, Modules] = {"metrics": METRICS, "published": PUBLISHED, "compat": COMPAT}
"""By the packages' names below `envs.osworld.outside`."""
