<?php
// Analyses a PDF of up to 100 MB in three steps: API=… TOKEN=… php stage-upload.php big.pdf

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

function post(string $path, array $value): array
{
    return call('POST', $path, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('TOKEN'), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($value),
    ])['data'];
}

// 1. a ticket for a file of exactly this size and these bytes
$path = $argv[1];
$ticket = post('/pdf/uploads', [
    'filename' => basename($path),
    'file_size' => filesize($path),
    'sha256' => hash_file('sha256', $path),
]);

// 2. the bytes, with every header of the ticket; curl sets Content-Length itself
unset($ticket['headers']['content-length']);
$put = curl_init($ticket['url']);
curl_setopt_array($put, [
    CURLOPT_PUT => true,
    CURLOPT_INFILE => fopen($path, 'rb'),
    CURLOPT_INFILESIZE => filesize($path),
    CURLOPT_HTTPHEADER => array_map(
        fn ($name, $value) => "$name: $value",
        array_keys($ticket['headers']),
        $ticket['headers'],
    ),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
]);
curl_exec($put) !== false || throw new RuntimeException(curl_error($put));

// 3. the analysis
$analysis = post('/pdf/analyze', ['upload_id' => $ticket['upload_id']]);
echo $analysis['id'], ' ', $analysis['metadata']['integrity']['verdict'], "\n";
