<?php
// Compares two PDFs: API=… TOKEN=… php compare-pdfs.php earlier.pdf later.pdf
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

$file = fn (string $path) => new CURLFile($path, 'application/pdf', basename($path));
$form = ['before' => $file($argv[1]), 'after' => $file($argv[2])];
$comparison = call('POST', '/pdf/compare', [CURLOPT_POSTFIELDS => $form])['data']['comparison'];
echo "$comparison[relation]\n";
foreach ($comparison['words'] as ['before' => $before, 'after' => $after]) {
    echo ($before['text'] ?? 'nothing') . ' -> ' . ($after['text'] ?? 'nothing') . "\n";
}
