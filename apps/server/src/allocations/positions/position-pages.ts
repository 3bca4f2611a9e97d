import { POSITIONS_OF_A_SUM } from '../../kernel/index.ts'

/**
 * Positions by their ids, a page at a time: a sum over a million neither holds all of them, nor keeps others waiting who
 * ask the same process. `read` returns at most `limit` with a higher id than `after`. Fewer than a page are one statement.
 */
export async function* positionPages<Row extends { readonly id: number }>(
  read: (after: number, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  for (let after = 0; ; ) {
    const page = await read(after, POSITIONS_OF_A_SUM)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < POSITIONS_OF_A_SUM) return
    after = last.id
  }
}
