/** One row of a table of states: this event leads from this state to that one. */
export interface StateTransition<State extends string = string, Event extends string = string> {
  readonly from: State
  readonly event: Event
  readonly to: State
}

export interface StateTable<Row extends StateTransition> {
  readonly transitions: readonly Row[]
  /** Every state that the table names, in its order. */
  readonly states: readonly Row['from'][]
  readonly events: readonly Row['event'][]
  /** The transition, or `undefined` where the event means nothing in that state. */
  find(from: Row['from'], event: Row['event']): Row | undefined
  /** The states in which an event means something. */
  statesBefore(event: Row['event']): readonly Row['from'][]
}

/**
 * Makes a frozen table of its rows. An event means at most one thing in a state; two rows that disagree are a
 * programmer's error and stop the start.
 */
export function stateTable<Row extends StateTransition>(rows: readonly Row[]): StateTable<Row> {
  const byKey = new Map(rows.map((row) => [keyOf(row.from, row.event), row]))
  if (byKey.size !== rows.length) throw new Error('an event means two things in one state')
  return Object.freeze({
    transitions: Object.freeze(rows.map((row) => Object.freeze(row))),
    states: Object.freeze([...new Set(rows.flatMap(({ from, to }) => [from, to]))]),
    events: Object.freeze([...new Set(rows.map(({ event }) => event))]),
    find: (from: Row['from'], event: Row['event']) => byKey.get(keyOf(from, event)),
    statesBefore: (event: Row['event']) => rows.filter((row) => row.event === event).map(({ from }) => from),
  })
}

const keyOf = (from: string, event: string): string => `${from} ${event}`
