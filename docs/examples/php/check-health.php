<?php
// Whether the service answers: API=… php check-health.php

$answer = json_decode(file_get_contents(preg_replace('#/api/v1$#', '/health', getenv('API'))), true);
echo $answer['data']['status'], "\n";
