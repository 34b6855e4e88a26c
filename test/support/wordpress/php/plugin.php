<?php
// A must-use plugin: what a clinic network's own site registers. The type's name comes with the test.

const PROVIDER_TEXTS = ['practice_name', 'address', 'zip_code', 'phone', 'email', 'website', 'url', 'domain', 'google_ads_id', 'bing_ads_id', 'image_url', 'logo_url'];
const PROVIDER_NUMBERS = ['latitude', 'longitude'];
const PROVIDER_BOOLEANS = ['accepts_free_consultation', 'accepts_financing'];

// Before the site is installed there is no option to read; wp-json wants pretty permalinks from the first request on.
add_filter('pre_option_permalink_structure', fn() => '/%postname%/');

add_action('init', function (): void {
    register_post_type('provider', [
        'public' => true,
        'label' => 'Providers',
        'show_in_rest' => true,
        'rest_base' => 'provider',
        'supports' => ['title', 'custom-fields', 'thumbnail'],
    ]);
    $types = array_fill_keys(PROVIDER_TEXTS, 'string') + array_fill_keys(PROVIDER_NUMBERS, 'number') + array_fill_keys(PROVIDER_BOOLEANS, 'boolean');
    foreach ($types as $name => $type) {
        register_post_meta('provider', $name, ['single' => true, 'type' => $type, 'show_in_rest' => true]);
    }
});

/**
 * Advanced Custom Fields isn't in Debian; this answers as its light format does: numbers as they were typed, false for an image that
 * isn't there, "" for a text that isn't. A test may put other values over them (the meta `_acf`, JSON).
 */
function provider_acf(array $post): array
{
    $answer = [];
    foreach ([...PROVIDER_TEXTS, ...PROVIDER_NUMBERS] as $name) {
        $answer[$name] = (string) get_post_meta($post['id'], $name, true);
    }
    foreach (['image_url', 'logo_url'] as $name) {
        $answer[$name] = $answer[$name] === '' ? false : $answer[$name];
    }
    foreach (PROVIDER_BOOLEANS as $name) {
        $answer[$name] = (bool) get_post_meta($post['id'], $name, true);
    }
    return array_merge($answer, json_decode(get_post_meta($post['id'], '_acf', true) ?: '{}', true));
}

add_action('rest_api_init', fn() => register_rest_field('provider', 'acf', ['get_callback' => 'provider_acf']));
