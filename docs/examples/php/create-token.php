<?php
// A new token; its value is in this answer only: API=… TOKEN=… php create-token.php 'my laptop'

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

$token = call('POST', '/tokens', [CURLOPT_POSTFIELDS => http_build_query(['name' => $argv[1]])])['data'];
echo "$token[id] $token[token]\n";
