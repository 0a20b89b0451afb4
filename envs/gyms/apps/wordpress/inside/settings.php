<?php
/** WordPress's settings: one SQLite database for each copy of the data, nothing shared but code. */
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', '' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', '' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
define( 'DB_ENGINE', 'sqlite' );
define( 'DB_DIR', $GLOBALS['deskhandData'] );
define( 'DB_FILE', 'wordpress.sqlite' );
// One file: a copy of it is whole.
define( 'SQLITE_JOURNAL_MODE', 'MEMORY' );
$table_prefix = 'wp_';
foreach ( [ 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ] as $name ) {
	// They open nothing but copies of made-up worlds; two sessions of a world show the same.
	define( "{$name}_KEY", md5( $name ) );
	define( "{$name}_SALT", md5( "salt of $name" ) );
}
define( 'WP_HOME', 'http://' . ( $_SERVER['HTTP_HOST'] ?? 'application' ) . '/wordpress' );
define( 'WP_SITEURL', WP_HOME );
// By default the hash of the address, whose port is another one in each run.
define( 'COOKIEHASH', 'gym' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'DISALLOW_FILE_MODS', true );
define( 'AUTOSAVE_INTERVAL', 86400 );
define( 'WP_POST_REVISIONS', false );
define( 'WP_DEBUG', false );
require_once ABSPATH . 'wp-settings.php';
