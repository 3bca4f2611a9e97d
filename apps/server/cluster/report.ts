import type { ClusterRun } from './run-cluster.ts'

/** The table of a run, its last line, and whether nothing was lost, doubled or different. */
export function report({ outcomes, problems, acknowledged }: ClusterRun): { lines: string[]; isSound: boolean } {
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
  return {
    lines: [
      ...problems.map((problem) => `unexpected: ${problem}`),
      '',
      line(head),
      ...rows.map(line),
      '',
      `${acknowledged} acknowledged writes`,
      `cluster: ${outcomes.length} faults, ${lost} lost, ${twice} twice`,
    ],
    isSound: lost === 0 && twice === 0 && isEqual && problems.length === 0,
  }
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
