<?php
// Makes the database, installs the site of the working folder at the address given, and prints the application password of its one
// user, `sync`.
define('WP_INSTALLING', true);
define('WP_SITEURL', $argv[1]);

$database = new mysqli('localhost', 'root', '', '', 0, dirname(getcwd()) . '/mariadb.sock');
$database->query('create database wordpress character set utf8mb4');
$database->close();

// The welcome mail; there is no one to read it.
function wp_new_blog_notification(): void
{
}

require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$installed = wp_install('Clinics', 'sync', 'sync@wordpress.example', true, '', wp_generate_password());
// A zone that isn't UTC's, so that a time without a zone can be seen to mean something else.
update_option('timezone_string', 'America/Chicago');
[$password] = WP_Application_Passwords::create_new_application_password($installed['user_id'], ['name' => 'provider sync']);
echo $password;
