<?php
// The API's description, for programs: API=… php show-reference.php

$document = json_decode(file_get_contents(getenv('API') . '/openapi.json'), true);
foreach ($document['paths'] as $path => $calls) {
    foreach ($calls as $method => $call) {
        echo strtoupper($method), " $path - $call[summary]\n";
    }
}
