// What the writers of documents with diagrams of states share.

/** An arrow of a diagram; without a label, the states say it all. */
export interface StateArrow {
  readonly from: string
  readonly to: string
  readonly label: string
}

/** Transitions between the same two states share an arrow. An initial state has an arrow from the start. */
export function stateDiagram(initial: readonly string[], transitions: readonly StateArrow[]): string {
  const arrows = new Map<string, string[]>()
  for (const { from, to, label } of transitions) {
    const arrow = `${from} --> ${to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), ...(label ? [label] : [])])
  }
  const lines = [...arrows].map(([arrow, labels]) => `  ${arrow}${labels.length > 0 ? ` : ${labels.join(', ')}` : ''}`)
  return ['```mermaid', 'stateDiagram-v2', ...initial.map((state) => `  [*] --> ${state}`), ...lines, '```'].join('\n')
}

/** A document with each generated part between its markers. Throws if a marker is missing. */
export function withParts(name: string, current: string, parts: Readonly<Record<string, () => string>>): string {
  return Object.entries(parts).reduce((text, [part, write]) => {
    const [begin, end] = [`<!-- begin ${part} -->`, `<!-- end ${part} -->`]
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    if (from < 0 || to < from) throw new Error(`${name} lacks the marks of its ${part}: ${begin} ... ${end}`)
    return `${text.slice(0, from + begin.length)}\n\n${write()}\n\n${text.slice(to)}`
  }, current)
}
