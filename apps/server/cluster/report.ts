import type { ClusterRun, FaultOutcome } from './run-cluster.ts'

export interface Report {
  /** The table, what missed its bar, and the last line. */
  readonly lines: readonly string[]
  /** Nothing was lost, happened twice or differs, and nothing unexpected was seen. */
  readonly isSound: boolean
  /** No fault interrupted writes or settlement for longer than its bars. Says something about a quiet machine only. */
  readonly isInTime: boolean
}

/** What a run found, as it is printed. */
export function report({ outcomes, problems, acknowledged }: ClusterRun): Report {
  const head = ['fault', 'writes', 'settlement', 'lost', 'twice', 'ledger = chains']
  const rows = outcomes.map((one) => [
    one.fault,
    inSeconds(one.writesMs),
    inSeconds(one.settlementMs),
    String(one.lost.length),
    String(one.twice.length),
    one.differences.length === 0 ? 'yes' : 'NO',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  const lost = outcomes.reduce((sum, one) => sum + one.lost.length, 0)
  const twice = outcomes.reduce((sum, one) => sum + one.twice.length, 0)
  const isEqual = outcomes.every(({ differences }) => differences.length === 0)
  const missed = outcomes.flatMap(missedBars)
  return {
    lines: [
      ...problems.map((problem) => `unexpected: ${problem}`),
      '',
      line(head),
      ...rows.map(line),
      '',
      ...missed,
      `${acknowledged} acknowledged writes`,
      `cluster: ${outcomes.length} faults, ${lost} lost, ${twice} twice`,
    ],
    isSound: lost === 0 && twice === 0 && isEqual && problems.length === 0,
    isInTime: missed.length === 0,
  }
}

function missedBars({ fault, writesMs, settlementMs, bars }: FaultOutcome): string[] {
  const each = [
    { what: 'writes', took: writesMs, bar: bars.writesMs },
    { what: 'settlement', took: settlementMs, bar: bars.settlementMs },
  ]
  // In tenths of a second, or a line could say that 15.0 s took longer than 15.0 s.
  return each.flatMap(({ what, took, bar }) =>
    bar === undefined || Math.round(took / 100) <= Math.round(bar / 100)
      ? []
      : [`TOO LONG: ${fault}: ${what} went on after ${inSeconds(took)}, the bar is ${inSeconds(bar)}`],
  )
}

const inSeconds = (milliseconds: number): string => `${(Math.round(milliseconds / 100) / 10).toFixed(1)} s`
