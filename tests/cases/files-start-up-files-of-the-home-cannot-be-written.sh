. "$SUPPORT/case.sh"
# What the user's next shell runs cannot be changed; tool caches can be written.
for file in .bashrc .profile .zshrc .gitconfig .config/git/config .local/bin/tool .config/systemd/user/x.service; do
    mkdir -p "$(dirname "$HOME/$file")"
    check_refused '*' "$HOME/$file" "echo x >> ~/$file"
done
mkdir -p "$HOME/.cache"
works 'mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/f'
check_content "$HOME/.cache/tool/f" x
