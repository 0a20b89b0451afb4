<?php
/**
 * Every request of the gym, for PHP's built-in server: MediaWiki on the data that the header names.
 * Only the gym server can send requests here, and no header of a page reaches it.
 */
$data = $_SERVER['HTTP_X_DESKHAND_DATA'] ?? '';
if ( !preg_match( '/^[a-z0-9]{1,64}$/D', $data ) ) {
	echo 'ready';
	return true;
}
$GLOBALS['deskhandData'] = "/data/$data";
$GLOBALS['deskhandClock'] = (int)( $_SERVER['HTTP_X_DESKHAND_CLOCK'] ?? 0 );
$prefix = '/mediawiki';
$root = '/app';
$path = substr( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ), strlen( $prefix ) );
$types = [ 'css' => 'text/css', 'js' => 'text/javascript', 'png' => 'image/png', 'gif' => 'image/gif',
	'jpg' => 'image/jpeg', 'ico' => 'image/x-icon', 'svg' => 'image/svg+xml', 'woff2' => 'font/woff2' ];
$file = realpath( $root . rawurldecode( $path ) );
if ( preg_match( '#^/(resources|skins)/.*\.([a-z0-9]+)$#', $path, $match )
	&& isset( $types[$match[2]] ) && $file && strpos( $file, "$root/$match[1]/" ) === 0 ) {
	header( 'Content-Type: ' . $types[$match[2]] );
	header( 'Cache-Control: max-age=86400' );
	readfile( $file );
	return true;
}
define( 'MW_CONFIG_FILE', '/inside/settings.php' );
chdir( $root );
if ( $path === '/deskhand-fill' ) {
	// No page can ask for this: it needs the data of a world, which no session has.
	if ( $data[0] !== 'w' ) {
		http_response_code( 404 );
		return true;
	}
	$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "$prefix/index.php";
	require '/inside/fill.php';
	return true;
}
$entry = preg_match( '#^/(load|api|rest)\.php#', $path, $match ) ? "$match[1].php" : 'index.php';
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "$prefix/$entry";
$_SERVER['SCRIPT_FILENAME'] = "$root/$entry";
require "$root/$entry";
