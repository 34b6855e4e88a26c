<?php
// Adds `$input` providers, each modified a minute after the one before, and prints their ids, the same in every site: the first is 1001.
// Required by run.php.
global $wpdb;

// As editors leave them; rendered they hold &amp;, &#038;, &#8217; and a tag.
const SEED_TITLES = ['Harbor &amp; Vale Clinic', 'Nolan & Price', "Women's Health", '<b>Bold</b> Urology', 'Plain Clinic', ''];

const SEED_IMAGE_ID = 1000;

/** A real file in the media library, which every third features. */
function seed_image(): void
{
    if (get_post(SEED_IMAGE_ID) !== null) {
        return;
    }
    $pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    $file = wp_upload_bits('clinic.png', null, base64_decode($pixel), '2026/01');
    $row = ['import_id' => SEED_IMAGE_ID, 'post_title' => 'Clinic', 'post_mime_type' => 'image/png', 'guid' => $file['url']];
    wp_insert_attachment($row, $file['file']);
}

/** Every fifth is as bare as an editor may leave it. */
function seed_meta(int $number): array
{
    if ($number % 5 === 0) {
        return ['zip_code' => '62701', 'email' => "clinic$number@clinics.example", 'phone' => '', 'website' => '', 'image_url' => ''];
    }
    return [
        'practice_name' => "Practice $number",
        'address' => "$number Main Street, Springfield, IL",
        'zip_code' => sprintf('%05d', 60601 + $number % 50),
        'latitude' => 39.5 + $number / 1000,
        'longitude' => -89.5 - $number / 1000,
        'phone' => sprintf('(555) 010-%04d', $number % 10000),
        'email' => "clinic$number@clinics.example",
        'website' => "https://clinic-$number.example/",
        'url' => "https://clinics.example/providers/$number",
        'domain' => $number % 2 === 0 ? "clinic-$number.example" : "https://www.Clinic-$number.example/book",
        'google_ads_id' => "AW-$number",
        'bing_ads_id' => (string) (10000 + $number),
        'image_url' => "https://images.example/$number.jpg",
        'logo_url' => "https://images.example/$number-logo.png",
        'accepts_free_consultation' => $number % 2 === 0,
        'accepts_financing' => $number % 3 === 0,
    ];
}

/** All in one statement: update_post_meta takes one, and more, for each. */
function seed_meta_rows(int $id, array $meta): void
{
    global $wpdb;
    $rows = array_map(fn(string $name): string => $wpdb->prepare('(%d, %s, %s)', $id, $name, $meta[$name]), array_keys($meta));
    $wpdb->query("insert into $wpdb->postmeta (post_id, meta_key, meta_value) values " . implode(', ', $rows));
}

$wpdb->query('start transaction');
seed_image();
$before = (int) $wpdb->get_var("select count(*) from $wpdb->posts where post_type = 'provider'");
$ids = [];
for ($number = $before + 1; $number <= $before + $input; $number++) {
    $utc = gmdate('Y-m-d H:i:s', gmmktime(0, $number, 0, 1, 1, 2026));
    $times = ['post_modified' => get_date_from_gmt($utc), 'post_modified_gmt' => $utc];
    // wp_insert_post takes no time of change; this is its last word before the row is written.
    $at_times = fn(array $row): array => [...$row, ...$times];
    add_filter('wp_insert_post_data', $at_times);
    $id = wp_insert_post([
        'import_id' => SEED_IMAGE_ID + $number,
        'post_type' => 'provider',
        'post_status' => 'publish',
        'post_title' => wp_slash(SEED_TITLES[$number % count(SEED_TITLES)]),
        'post_name' => "clinic-$number",
        'post_date_gmt' => $utc,
        'post_date' => $times['post_modified'],
    ]);
    remove_filter('wp_insert_post_data', $at_times);
    seed_meta_rows($id, seed_meta($number) + ($number % 3 === 0 ? ['_thumbnail_id' => SEED_IMAGE_ID] : []));
    $ids[] = $id;
}
$wpdb->query('commit');
echo json_encode($ids);
