<?php
// All analyses, newest first: API=… TOKEN=… php list-analyses.php

function call(string $method, string $path, array $options = []): array
{
    $curl = curl_init(getenv('API') . $path);
    curl_setopt_array($curl, $options + [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN')],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $answer = json_decode(curl_exec($curl) ?: throw new RuntimeException(curl_error($curl)), true);
    return $answer['success'] ? $answer : throw new RuntimeException($answer['error']['message']);
}

$page = 1;
do {
    $answer = call('GET', "/pdf?page=$page&per_page=100");
    foreach ($answer['data'] as $analysis) {
        echo "$analysis[id] $analysis[analyzed_at] $analysis[filename]\n";
    }
} while ($page++ < $answer['meta']['last_page']);
