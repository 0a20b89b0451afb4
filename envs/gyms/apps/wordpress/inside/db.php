<?php
/** WordPress's database: one SQLite file for each copy of the data. */
define( 'SQLITE_DB_DROPIN_VERSION', '1.8.0' );
$folder = '/app/wp-content/plugins/sqlite-database-integration';
require_once "$folder/wp-includes/database/version.php";
require_once "$folder/constants.php";
require_once "$folder/wp-includes/database/load.php";
require_once "$folder/wp-includes/sqlite/class-wp-sqlite-db.php";
require_once "$folder/wp-includes/sqlite/install-functions.php";

/** Debian's WordPress is older than a property that npm's driver asks its parent for. */
class Deskhand_Database extends WP_SQLite_DB {
	public function __get( $name ) {
		return $name === 'allow_unsafe_unquoted_parameters' ? true : parent::__get( $name );
	}
}
$GLOBALS['wpdb'] = new Deskhand_Database( DB_NAME );
// A session's database is gone with the machine: nothing waits for the disk.
$GLOBALS['wpdb']->dbh->get_connection()->query( 'PRAGMA synchronous = OFF' );
