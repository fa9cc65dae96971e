// Command minimal is the least that a Bubble Tea program on the alternate
// screen can be. The benchmarks compare the start of the agent with it.
package main

import tea "charm.land/bubbletea/v2"

type model struct{ typed string }

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if k.String() == "ctrl+d" {
			return m, tea.Quit
		}
		m.typed += k.Text
	}
	return m, nil
}

func (m model) View() tea.View {
	v := tea.NewView("ready " + m.typed)
	v.AltScreen = true
	return v
}

func main() {
	if _, err := tea.NewProgram(model{}).Run(); err != nil {
		panic(err)
	}
}
