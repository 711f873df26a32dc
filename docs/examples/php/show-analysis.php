<?php
// One analysis: API=… TOKEN=… php show-analysis.php 00000000-0001-8614-bd98-f44607e6fa02

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

$analysis = call('GET', "/pdf/$argv[1]")['data'];
echo $analysis['filename'], ' ', $analysis['metadata']['document']['title'], "\n";
