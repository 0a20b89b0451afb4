<?php
/** Puts a world's content into a fresh site, by WordPress's own functions. The body is JSON. */
require '/app/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';

$world = json_decode( file_get_contents( 'php://input' ), true, 64, JSON_THROW_ON_ERROR );
function gym_check( $result, $what ) {
	if ( !$result || is_wp_error( $result ) ) {
		http_response_code( 500 );
		echo $what, ': ', is_wp_error( $result ) ? $result->get_error_message() : 'refused';
		exit;
	}
	return $result;
}

foreach ( get_posts( [ 'post_type' => [ 'post', 'page' ], 'post_status' => 'any', 'numberposts' => -1 ] ) as $post ) {
	wp_delete_post( $post->ID, true );
}
foreach ( $world['settings'] as $name => $value ) {
	update_option( $name, $value );
}
$users = [];
foreach ( $world['users'] as $user ) {
	$user += [ 'user_pass' => md5( $user['user_login'] ) ];
	$users[$user['display_name']] = gym_check( wp_insert_user( $user ), $user['user_login'] );
}
require_once ABSPATH . 'wp-admin/includes/user.php';
wp_delete_user( 1, $users[$world['user']] );
wp_set_current_user( $users[$world['user']] );
$categories = [];
foreach ( $world['categories'] as $name => $description ) {
	$term = gym_check( wp_insert_term( $name, 'category', [ 'description' => $description ] ), $name );
	$categories[$name] = $term['term_id'];
}
$posts = [];
foreach ( $world['posts'] as $post ) {
	$posts[$post['title']] = gym_check( wp_insert_post( [
		'post_title' => $post['title'],
		'post_content' => $post['text'],
		'post_status' => $post['status'] === 'trash' ? 'publish' : $post['status'],
		'post_type' => $post['kind'],
		'post_author' => $users[$post['author']],
		'post_date' => $post['at'],
		'post_category' => array_map( static fn ( $name ) => $categories[$name], $post['categories'] ),
		'tags_input' => $post['tags'],
		'comment_status' => $post['comments'],
		'post_parent' => $posts[$post['parent']] ?? 0,
	], true ), $post['title'] );
	if ( $post['sticky'] ) {
		stick_post( $posts[$post['title']] );
	}
	if ( $post['status'] === 'trash' ) {
		gym_check( wp_trash_post( $posts[$post['title']] ), $post['title'] );
	}
}
foreach ( $world['comments'] as $comment ) {
	gym_check( wp_insert_comment( [
		'comment_post_ID' => $posts[$comment['post']],
		'comment_author' => $comment['author'],
		'comment_author_email' => $comment['email'],
		'comment_content' => $comment['text'],
		'comment_approved' => $comment['status'],
		'comment_date' => $comment['at'],
	] ), $comment['author'] );
}
$until = time() + 10 * YEAR_IN_SECONDS;
$user = $users[$world['user']];
$token = WP_Session_Tokens::get_instance( $user )->create( $until );
header( 'Content-Type: application/json' );
echo json_encode( [
	AUTH_COOKIE => rawurlencode( wp_generate_auth_cookie( $user, $until, 'auth', $token ) ),
	LOGGED_IN_COOKIE => rawurlencode( wp_generate_auth_cookie( $user, $until, 'logged_in', $token ) ),
] );
