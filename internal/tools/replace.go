package tools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

func evalSymlinks(abs string) (string, error) { return filepath.EvalSymlinks(abs) }

func create(abs string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(abs), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(abs, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) { // a symlink to nothing
		f, err = os.OpenFile(abs, os.O_WRONLY|os.O_CREATE, 0o666)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// swap writes beside the file and renames. Where that would lose something, a
// second name of the file or its owner, it writes into the file.
func swap(target string, content []byte, old fs.FileInfo) error {
	if st, ok := old.Sys().(*syscall.Stat_t); ok && (st.Nlink > 1 || int(st.Uid) != os.Geteuid()) {
		return os.WriteFile(target, content, old.Mode().Perm())
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil { // a directory that takes no new files
		return os.WriteFile(target, content, old.Mode().Perm())
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(old.Mode().Perm()), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
