package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/tools"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
	"github.com/seed7484d81d/agent/internal/tui/pager"
)

// openArtifact shows a whole output.
func (a *App) openArtifact(id int) tea.Cmd {
	dir := a.talk.Session.Dir()
	return later(func() func(a *App) tea.Cmd {
		info, err := artifact.Open(dir, artifact.Options{}).Lookup(id)
		var pages *artifact.Pages
		if err == nil {
			pages, err = artifact.OpenPages(info.Path)
		}
		return func(a *App) tea.Cmd {
			if err != nil {
				a.complain(err)
				return nil
			}
			a.closePager()
			a.pager = pager.New(a.ctx, pager.Options{Keys: a.o.Keys, Theme: a.o.Theme, Title: artifact.Ref(id) + "  " + tools.Size(info.Size), Source: pages})
			a.pager.SetSize(a.w, a.pagerRows())
			return a.pager.Init()
		}
	})
}

func (a *App) closePager() {
	if a.pager != nil {
		a.pager.Close()
		a.pager = nil
	}
}

// pagerRows are all rows but the status line.
func (a *App) pagerRows() int {
	if a.h >= 4 {
		return a.h - 1
	}
	return a.h
}

func (a *App) resizePager() tea.Cmd {
	if a.pager == nil {
		return nil
	}
	a.pager.SetSize(a.w, a.pagerRows())
	return a.pager.Load()
}

func (a *App) pagerCursor() *tea.Cursor {
	x, y, ok := a.pager.Cursor()
	if !ok {
		return nil
	}
	return tea.NewCursor(x, y)
}

// artifactsCommand offers the outputs that were kept whole.
func (a *App) artifactsCommand(string) tea.Cmd {
	dir := a.talk.Session.Dir()
	return later(func() func(a *App) tea.Cmd {
		list, err := artifact.Open(dir, artifact.Options{}).List()
		return func(a *App) tea.Cmd {
			switch {
			case err != nil:
				a.complain(err)
				return nil
			case len(list) == 0:
				return a.tell("No output of this conversation was long enough to be kept")
			}
			items := make([]dialog.Item[int], 0, len(list))
			for _, info := range list {
				items = append(items, dialog.Item[int]{Value: info.ID, Title: artifact.Ref(info.ID), Description: info.Kind, Right: tools.Size(info.Size)})
			}
			a.open(dialog.NewPicker(dialog.PickerOptions[int]{Keys: a.o.Keys, Theme: a.o.Theme, Title: fmt.Sprintf("%d whole outputs", len(list)), Items: items, Verb: "open"}), func(act dialog.Action) tea.Cmd {
				if picked, ok := act.(dialog.Picked[int]); ok {
					return a.openArtifact(picked.Value)
				}
				return nil
			})
			return nil
		}
	})
}
