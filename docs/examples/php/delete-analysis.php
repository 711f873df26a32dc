<?php
// Deletes an analysis for good: API=… TOKEN=… php delete-analysis.php 00000000-0001-8614-bd98-f44607e6fa02

$curl = curl_init(getenv('API') . "/pdf/$argv[1]");
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => 'DELETE',
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN')],
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($curl);
if ($body === false) {
    throw new RuntimeException(curl_error($curl));
}
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
    throw new RuntimeException(json_decode($body, true)['error']['message']);
}
echo "deleted $argv[1]\n";
