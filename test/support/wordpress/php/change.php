<?php
// Changes the provider `$input['id']`: its title, status, meta and what `acf` answers, as far as given. It counts as modified now.
['id' => $id] = $input;
foreach ($input['meta'] ?? [] as $name => $value) {
    update_post_meta($id, $name, wp_slash($value));
}
if (isset($input['acf'])) {
    update_post_meta($id, '_acf', wp_slash(json_encode($input['acf'])));
}
if (($input['status'] ?? '') === 'trash') {
    wp_trash_post($id);
} else {
    $row = array_filter(['post_title' => $input['title'] ?? null, 'post_status' => $input['status'] ?? null], 'is_string');
    wp_update_post(['ID' => $id, ...wp_slash($row)]);
}
