<?php
// Trusts the issuers of a PEM file: API=… TOKEN=… php trust-issuers.php issuers.pem

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

$issuers = call('POST', '/trust', [CURLOPT_POSTFIELDS => http_build_query(['pem' => file_get_contents($argv[1])])])['data'];
foreach ($issuers as $issuer) {
    echo "$issuer[id] $issuer[name]\n";
}
