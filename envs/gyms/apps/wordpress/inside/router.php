<?php
/**
 * Every request of the gym, for PHP's built-in server: WordPress on the data that the header names.
 * Only the gym server can send requests here, and no header of a page reaches it.
 */
$data = $_SERVER['HTTP_X_DESKHAND_DATA'] ?? '';
if ( !preg_match( '/^[a-z0-9]{1,64}$/D', $data ) ) {
	echo 'ready';
	return true;
}
$GLOBALS['deskhandData'] = "/data/$data";
$GLOBALS['deskhandClock'] = (int)( $_SERVER['HTTP_X_DESKHAND_CLOCK'] ?? 0 );
$prefix = '/wordpress';
$root = '/app';
$path = rawurldecode( substr( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ), strlen( $prefix ) ) );
if ( $path === '/deskhand-fill' ) {
	// No page can ask for this: it needs the data of a world, which no session has.
	if ( $data[0] !== 'w' ) {
		http_response_code( 404 );
		return true;
	}
	require '/inside/fill.php';
	return true;
}
$types = [ 'css' => 'text/css', 'js' => 'text/javascript', 'png' => 'image/png', 'gif' => 'image/gif', 'svg' => 'image/svg+xml',
	'jpg' => 'image/jpeg', 'ico' => 'image/x-icon', 'woff' => 'font/woff', 'woff2' => 'font/woff2', 'ttf' => 'font/ttf' ];
$isFolder = is_dir( $root . $path );
$file = realpath( $root . $path . ( $isFolder ? '/index.php' : '' ) );
$type = pathinfo( $path, PATHINFO_EXTENSION );
$inPackage = $file && preg_match( '#^/(app|php|javascript)/#', $file );
if ( $inPackage && isset( $types[$type] ) && !$isFolder ) {
	header( "Content-Type: $types[$type]" );
	header( 'Cache-Control: max-age=86400' );
	readfile( $file );
	return true;
}
// Pages of WordPress's own are files; all other addresses are posts, which its front page finds.
$isPage = $inPackage && pathinfo( $file, PATHINFO_EXTENSION ) === 'php' && preg_match( '#^/app/(wp-admin/|wp-[a-z-]+\.php$)#', $file );
if ( $isFolder && $isPage && substr( $path, -1 ) !== '/' ) {
	header( "Location: $prefix$path/" );
	return true;
}
$entry = $isPage ? substr( $file, strlen( $root ) ) : '/index.php';
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $prefix . $entry;
$_SERVER['SCRIPT_FILENAME'] = $root . $entry;
chdir( dirname( $root . $entry ) );
require $root . $entry;
