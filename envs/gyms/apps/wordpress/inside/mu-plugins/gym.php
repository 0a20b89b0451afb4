<?php
/** What makes WordPress the same in each run: its dates stand still, and nothing runs by itself. */
const GYM_NOW = 1748768400; // 2025-06-01 09:00 UTC: before any clock on a wall, or a post would wait for its day

function gym_is_now( $timestamp ) {
	return abs( $timestamp - time() ) < 2 * DAY_IN_SECONDS;
}
$still = static fn ( $text, $format, $timestamp ) => gym_is_now( $timestamp ) ? gmdate( $format, GYM_NOW ) : $text;
add_filter( 'wp_date', $still, 10, 3 );
add_filter( 'date_i18n', $still, 10, 3 );
add_filter( 'wp_insert_post_data', static function ( $post ) {
	foreach ( [ 'post_date', 'post_date_gmt', 'post_modified', 'post_modified_gmt' ] as $field ) {
		if ( gym_is_now( strtotime( $post[$field] . ' UTC' ) ) ) {
			$post[$field] = gmdate( 'Y-m-d H:i:s', GYM_NOW );
		}
	}
	return $post;
} );
add_filter( 'preprocess_comment', static function ( $comment ) {
	$comment['comment_date'] = $comment['comment_date_gmt'] = gmdate( 'Y-m-d H:i:s', GYM_NOW );
	return $comment;
} );
// The editor of one text field, which 6.1 still has, and no picture of other servers.
add_filter( 'use_block_editor_for_post', '__return_false' );
add_filter( 'user_can_richedit', '__return_false' );
add_filter( 'pre_option_show_avatars', '__return_zero' );
add_filter( 'heartbeat_settings', static fn ( $settings ) => [ 'autostart' => false, 'interval' => 120 ] + $settings );
add_filter( 'pre_wp_mail', '__return_true' );
add_filter( 'wp_check_post_lock_window', '__return_zero' );
add_action( 'wp_dashboard_setup', static function () {
	foreach ( [ 'dashboard_site_health' => 'normal', 'dashboard_primary' => 'side' ] as $box => $place ) {
		remove_meta_box( $box, 'dashboard', $place );
	}
	remove_action( 'welcome_panel', 'wp_welcome_panel' );
} );
foreach ( [ '_maybe_update_core', '_maybe_update_plugins', '_maybe_update_themes' ] as $check ) {
	remove_action( 'admin_init', $check );
}
// There is no network: what asks for it is refused at once, and waits for no answer.
add_filter( 'pre_http_request', static fn () => new WP_Error( 'no_network', 'There is no network.' ) );
// What WordPress would propose as a password is on the page, and chance.
add_filter( 'random_password', static fn ( $password, $length ) => substr( str_repeat( 'V9#tmQ2x-Lr7&bKp4!wZc8Jd', 8 ), 0, $length ), 10, 2 );
// Panels open at once: what is seen does not depend on how far they have slid.
add_action( 'admin_print_footer_scripts', static function () {
	// What the page asks for by itself, by its clock, is no form of whoever uses it: as if the page were left.
	echo '<script>window.jQuery && (jQuery.fx.off = true, jQuery(window).trigger("unload.wp-heartbeat"))</script>';
}, 99 );
// The list of comments has the time in a field, and so in its address after a search.
add_action( 'admin_init', static fn () => ob_start( static fn ( $page ) => preg_replace(
	'/(name="pagegen_timestamp" value=")[^"]*/', '${1}' . gmdate( 'Y-m-d H:i:s', GYM_NOW ), $page ) ) );
// So is a proof that the address of a search holds; it is the same for a user and a day.
add_filter( 'nonce_life', static fn () => 100 * YEAR_IN_SECONDS );
add_filter( 'salt', static fn ( $salt, $scheme ) => $scheme === 'nonce' ? md5( 'proof' ) : $salt, 10, 2 );
