<?php
/** Makes the database in the folder that is named: by WordPress's own installer. */
$GLOBALS['deskhandData'] = $argv[1];
$_SERVER += [ 'HTTP_HOST' => 'application', 'REQUEST_URI' => '/wordpress/', 'SERVER_PROTOCOL' => 'HTTP/1.1' ];
define( 'WP_INSTALLING', true );
require '/app/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install( 'Site', 'operator', 'operator@site.example', true, '', md5( 'operator' ) );
