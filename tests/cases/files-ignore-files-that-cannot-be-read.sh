. "$SUPPORT/case.sh"
# An ignore file that is no readable regular file says nothing, so everything beside it is out of reach.
echo secret >.env
closed() {
    sbx 'cat .env'
    check_status 1
    check_out_lacks secret
    check_report '*' .env 'cannot be read'
    rm -rf .sbxignore
}
echo .env >ig
ln -s ig .sbxignore
closed
ln -s nowhere .sbxignore
closed
mkdir .sbxignore
closed
mkfifo .sbxignore
closed
works 'cat .env'
