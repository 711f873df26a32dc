<?php
// The account, and what is left of today's quota: API=… TOKEN=… php show-user.php

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

$user = call('GET', '/user')['data'];
echo "$user[name]: $user[remaining_checks] of $user[daily_limit] analyses left today\n";
