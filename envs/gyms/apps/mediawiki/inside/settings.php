<?php
/** MediaWiki's settings: one SQLite database for each copy of the data, nothing shared but code. */
$wgSitename = 'Handbook';
$wgScriptPath = '/mediawiki';
$wgArticlePath = '/mediawiki/wiki/$1';
$wgServer = 'http://' . ( $_SERVER['HTTP_HOST'] ?? 'application' );
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = $GLOBALS['deskhandData'];
// A session's database is gone with the machine: nothing waits for the disk.
$wgDBservers = [ [ 'type' => 'sqlite', 'dbname' => 'wiki', 'dbDirectory' => $wgSQLiteDataDir,
	'tablePrefix' => '', 'load' => 0, 'flags' => DBO_DEFAULT, 'variables' => [ 'synchronous' => 'OFF' ] ] ];
$wgMainCacheType = $wgMessageCacheType = $wgParserCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
$wgCacheDirectory = '/tmp';
$wgLocalisationCacheConf['storeDirectory'] = '/tmp';
$wgLocalisationCacheConf['store'] = 'array';
$wgSecretKey = str_repeat( '0f', 32 );
$wgLanguageCode = 'en';
$wgLocaltimezone = 'UTC';
$wgDefaultSkin = 'monobook';
wfLoadSkin( 'MonoBook' );
// Jobs of background runners are done where they arise: a page is never older than its database.
$wgJobRunRate = 0;
$wgEnableEmail = $wgEnableUploads = $wgPingback = $wgAllowExternalImages = false;
$wgRateLimits = [];
$wgUseRCPatrol = $wgUseNPPatrol = $wgUseFilePatrol = false;
$wgUseFileCache = false;
// Suggestions come when they come: whether they cover the page would be chance.
$wgEnableOpenSearchSuggest = false;
$wgShowExceptionDetails = true;
$wgExternalLinkTarget = false;
// What a task did not ask for is not done on the way: no page is watched because it was changed.
foreach ( [ 'default', 'creations', 'moves', 'deletion', 'rollback' ] as $kind ) {
	$wgDefaultUserOptions["watch$kind"] = 0;
}
$wgDefaultUserOptions['date'] = 'dmy';
// Lists of changes come with the page, not from a script that builds its filters for seconds.
$wgDefaultUserOptions['rcenhancedfilters-disable'] = $wgDefaultUserOptions['wlenhancedfilters-disable'] = 1;
if ( $GLOBALS['deskhandClock'] ?? 0 ) {
	Wikimedia\Timestamp\ConvertibleTimestamp::setFakeTime( $GLOBALS['deskhandClock'] );
}
