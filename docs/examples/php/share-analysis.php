<?php
// Makes a link to an analysis' report, good for 30 days: API=… TOKEN=… php share-analysis.php 00000000-0001-8614-bd98-f44607e6fa02

function call(string $method, string $path, array $options = []): array
{
    $curl = curl_init(getenv('API') . $path);
    curl_setopt_array($curl, $options + [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN'), 'Content-Type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $answer = json_decode(curl_exec($curl) ?: throw new RuntimeException(curl_error($curl)), true);
    return $answer['success'] ? $answer : throw new RuntimeException($answer['error']['message']);
}

$body = json_encode(['expires_in_days' => 30]);
$link = call('POST', "/pdf/$argv[1]/share", [CURLOPT_POSTFIELDS => $body])['data'];
echo "$link[url] until $link[expires_at]\n";
