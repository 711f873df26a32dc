<?php
// Revokes a token by its id: API=… TOKEN=… php revoke-token.php 019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77

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

$revoked = call('DELETE', "/tokens/$argv[1]")['data'];
echo "revoked $revoked[id]\n";
