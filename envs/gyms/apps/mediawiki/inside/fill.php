<?php
/** Puts a world's content into a fresh wiki, by MediaWiki's own functions. The body is JSON. */
use MediaWiki\MediaWikiServices;
use MediaWiki\Revision\SlotRecord;
use Wikimedia\Timestamp\ConvertibleTimestamp;

require '/app/includes/WebStart.php';

$world = json_decode( file_get_contents( 'php://input' ), true, 64, JSON_THROW_ON_ERROR );
$services = MediaWikiServices::getInstance();
$factory = $services->getUserFactory();
$users = [];
foreach ( $world['users'] as $name ) {
	$users[$name] = $factory->newFromName( $name );
	$users[$name]->addToDatabase();
}
$reader = $users[$world['user']];
$services->getUserGroupManager()->addUserToGroup( $reader, 'sysop' );
$reader->setToken( $world['token'] );
$reader->saveSettings();

$pageOf = static fn ( $title ) => $services->getWikiPageFactory()->newFromTitle( Title::newFromText( $title ) );
foreach ( $world['revisions'] as $revision ) {
	ConvertibleTimestamp::setFakeTime( $revision['at'] );
	$page = $pageOf( $revision['title'] );
	$updater = $page->newPageUpdater( $users[$revision['by']] );
	$updater->setContent( SlotRecord::MAIN, ContentHandler::makeContent( $revision['text'], $page->getTitle() ) );
	$updater->saveRevision( CommentStoreComment::newUnsavedComment( $revision['summary'] ) );
	if ( !$updater->wasSuccessful() ) {
		http_response_code( 500 );
		echo $revision['title'], ': ', $updater->getStatus();
		return;
	}
}
ConvertibleTimestamp::setFakeTime( $GLOBALS['deskhandClock'] );
foreach ( $world['deleted'] as $title ) {
	$page = $pageOf( $title );
	$services->getDeletePageFactory()->newDeletePage( $page, $users[$world['admin']] )->deleteUnsafe( 'no longer a client' );
}
foreach ( $world['watched'] as $title ) {
	$services->getWatchlistManager()->addWatchIgnoringRights( $reader, Title::newFromText( $title ) );
}
foreach ( $world['protected'] as $title ) {
	$cascade = false;
	$pageOf( $title )->doUpdateRestrictions( [ 'edit' => 'sysop', 'move' => 'sysop' ], [], $cascade, 'agreed', $users[$world['admin']] );
}
// What MediaWiki does after a page has been sent: links and the search index are made from the changes.
$databases = $services->getDBLoadBalancerFactory();
$databases->commitPrimaryChanges( 'fill' );
DeferredUpdates::doUpdates();
$databases->commitPrimaryChanges( 'fill' );
$databases->shutdown();
header( 'Content-Type: application/json' );
echo json_encode( [ 'wikiUserID' => (string)$reader->getId(), 'wikiUserName' => rawurlencode( $reader->getName() ), 'wikiToken' => $world['token'] ] );
