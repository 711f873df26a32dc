<?php
// Analyzes PDFs, sent directly or staged by their size, and retries where that helps:
// API=… TOKEN=… php client.php document.pdf big.pdf
// Needs the curl extension: apt install php-curl

const DIRECT = 4_000_000; // bytes; larger files are staged, because API gateways refuse large bodies

const BUSY = [429, 502, 503, 504]; // worth another try also without Retry-After, as gateways answer

/** What the API refused, in its own words; `http_502` and so on if something in front of it answered. */
final class ApiError extends Exception
{
    public readonly array $error;

    public function __construct(public readonly int $status, ?array $error)
    {
        $this->error = $error ?? ['code' => "http_$status", 'message' => 'no answer of the API', 'request_id' => 'unknown'];
        parent::__construct("{$this->error['code']}: {$this->error['message']} (request {$this->error['request_id']})");
    }
}

final class Client
{
    public function __construct(private string $base, private string $token)
    {
    }

    /** Analyzes a file: the answer has the analysis as `data`, and `remaining_checks`. */
    public function analyze(string $path, ?string $password = null): array
    {
        is_readable($path) || throw new RuntimeException('The file cannot be read.');
        $secret = array_filter(['password' => $password]);
        if (filesize($path) > DIRECT) {
            $file = ['filename' => basename($path), 'file_size' => filesize($path), 'sha256' => hash_file('sha256', $path)];
            $ticket = $this->post('/pdf/uploads', $file)['data'];
            $this->upload($ticket, $path);
            // the upload id makes this safe to repeat
            return $this->post('/pdf/analyze', ['upload_id' => $ticket['upload_id']] + $secret);
        }
        $form = ['file' => new CURLFile($path, 'application/pdf', basename($path))] + $secret;
        return $this->send('/pdf/analyze', ['Idempotency-Key: ' . bin2hex(random_bytes(16))], $form);
    }

    private function post(string $path, array $value): array
    {
        return $this->send($path, ['Content-Type: application/json'], json_encode($value));
    }

    /** Sends a request that may be repeated. Waits as Retry-After says, if that is a minute at most. */
    private function send(string $path, array $headers, array|string $body, int $tries = 5): array
    {
        for ($attempt = 1; ; $attempt++) {
            $wait = null;
            $curl = curl_init($this->base . $path);
            curl_setopt_array($curl, [
                CURLOPT_POSTFIELDS => $body,
                CURLOPT_HTTPHEADER => ["Authorization: Bearer $this->token", ...$headers],
                CURLOPT_RETURNTRANSFER => true,
                CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$wait): int {
                    if (stripos($line, 'retry-after:') === 0) {
                        $wait = (int) substr($line, 12);
                    }
                    return strlen($line);
                },
            ]);
            $answer = curl_exec($curl);
            if ($answer === false) {
                $attempt < $tries || throw new RuntimeException(curl_error($curl));
                sleep($attempt);
                continue;
            }
            $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
            $answer = json_decode($answer, true);
            if ($status < 300) {
                return $answer;
            }
            $wait ??= in_array($status, BUSY, true) ? 1 : 61;
            if ($attempt === $tries || $wait > 60) {
                throw new ApiError($status, $answer['error'] ?? null);
            }
            sleep($wait);
        }
    }

    private function upload(array $ticket, string $path): void
    {
        $headers = [];
        foreach ($ticket['headers'] as $name => $value) {
            // curl sets Content-Length itself
            if ($name !== 'content-length') {
                $headers[] = "$name: $value";
            }
        }
        $curl = curl_init($ticket['url']);
        curl_setopt_array($curl, [
            CURLOPT_PUT => true,
            CURLOPT_INFILE => fopen($path, 'rb'),
            CURLOPT_INFILESIZE => filesize($path),
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FAILONERROR => true,
        ]);
        curl_exec($curl) !== false || throw new RuntimeException('The upload failed: ' . curl_error($curl));
    }
}

if ($argc < 2) {
    fwrite(STDERR, "usage: API=… TOKEN=… php client.php FILE…\n");
    exit(2);
}
$client = new Client(getenv('API'), getenv('TOKEN'));
$status = 0;
foreach (array_slice($argv, 1) as $path) {
    try {
        $answer = $client->analyze($path);
    } catch (Exception $error) {
        // refused, not readable, not sent: the other files may be fine
        fwrite(STDERR, "$path: {$error->getMessage()}\n");
        $status = 1;
        continue;
    }
    $analysis = $answer['data'];
    $integrity = $analysis['metadata']['integrity'];
    echo "$path: $integrity[verdict] ($analysis[id], $answer[remaining_checks] analyses left today)\n",
        "$integrity[summary]\n";
}
exit($status);
