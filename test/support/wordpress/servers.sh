#!/bin/sh
# Runs MariaDB and PHP's own web server on the folder given until standard input closes, which it does however the test ends, killed or
# not; then ends both and removes the folder. To be started in a process group of its own.
folder=$1
port=$2

mariadbd --defaults-file="$folder/mariadb.cnf" &
database=$!
PHP_CLI_SERVER_WORKERS=4 php -d display_errors=0 -S "127.0.0.1:$port" -t "$folder/site" &

cat >/dev/null
# On an interrupt PHP's server waits for its workers; on any other signal it leaves them to the process that reaps orphans.
trap '' INT
kill -INT 0
kill -TERM "$database"
wait
rm -rf "$folder"
