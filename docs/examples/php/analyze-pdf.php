<?php
// Analyses a PDF: API=… TOKEN=… php analyze-pdf.php document.pdf
// Needs the curl extension: apt install php-curl

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

$form = ['file' => new CURLFile($argv[1], 'application/pdf', basename($argv[1]))];
$analysis = call('POST', '/pdf/analyze', [CURLOPT_POSTFIELDS => $form])['data'];
$integrity = $analysis['metadata']['integrity'];
echo "$analysis[id] $integrity[verdict]\n$integrity[summary]\n";
