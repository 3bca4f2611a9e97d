import type { ReactNode } from 'react'
import { placesOf } from '../../lib/money/places.ts'
import { TABLE } from '../light.tsx'
import { chainName, Hash, Money, Status, Time } from '../values.tsx'

/** A column of a table: what a cell shows, and its value in the CSV. */
export interface Column<T> {
  readonly title: string
  /** `rows`: those of the same table, whose amounts it is aligned with. */
  readonly cell: (row: T, rows: readonly T[]) => ReactNode
  /** Columns without one are left out of the CSV. */
  readonly csv?: (row: T) => string | number | null | undefined
  readonly right?: boolean
  /** Not shown on phones; `xl`: only where the window is wide. */
  readonly wide?: boolean | 'xl'
  /** Not shown at all: in the CSV only. */
  readonly csvOnly?: boolean
  /** Not on paper. */
  readonly screenOnly?: boolean
}

/** How the cells of a column are aligned in a table, its heading too. */
export const cellProps = (
  { right, wide, screenOnly }: Pick<Column<never>, 'right' | 'wide' | 'screenOnly'>,
  part: 'th' | 'td',
) => ({
  className: `${TABLE[part]}${screenOnly ? ' buttons no-print' : ''}${wide ? ` mantine-visible-from-${wide === true ? 'sm' : wide}` : ''}`,
  style: right ? ({ textAlign: 'right' } as const) : undefined,
})

type Options = Pick<Column<never>, 'right' | 'wide' | 'csvOnly'>

type Cell = string | number | null | undefined
/** A field of the row, or what is computed from it. */
type Get<T, V> = { [Name in keyof T]-?: T[Name] extends V ? Name : never }[keyof T] | ((row: T) => V)

/** The columns that tables of `T` consist of. Amounts and times are on the right. */
export function columnsFor<T>() {
  const getter = <V,>(get: Get<T, V>): ((row: T) => V) =>
    typeof get === 'function' ? get : (row) => row[get as keyof T] as V
  return {
    /** The value as it is; a dash where there is none. */
    text: (title: string, value: Get<T, Cell>, options?: Options): Column<T> => ({
      title,
      cell: (row) => getter(value)(row) ?? '–',
      csv: getter(value),
      ...options,
    }),
    /** A name that people chose, which may be long. */
    label: (title: string, value: Get<T, string | null | undefined>, options?: Options): Column<T> => ({
      title,
      cell: (row) => {
        const name = getter(value)(row) ?? '–'
        return (
          <span className="label" title={name}>
            {name}
          </span>
        )
      },
      csv: getter(value),
      ...options,
    }),
    /** Any cell, and its text in the CSV. */
    shown: (title: string, cell: (row: T) => ReactNode, csv: Get<T, Cell>, options?: Options): Column<T> => ({
      title,
      cell,
      csv: getter(csv),
      ...options,
    }),
    money: (
      title: string,
      amount: Get<T, string | null>,
      token: Get<T, string | undefined> = () => undefined,
      {
        strong = false,
        below,
        ...options
      }: Options & { readonly strong?: boolean; readonly below?: (row: T) => ReactNode } = {},
    ): Column<T> => ({
      title,
      cell: (row, rows) => (
        <>
          <Money
            amount={getter(amount)(row)}
            token={getter(token)(row)}
            strong={strong}
            places={Math.max(...rows.map((each) => placesOf(getter(amount)(each))))}
          />
          {below?.(row)}
        </>
      ),
      csv: getter(amount),
      right: true,
      ...options,
    }),
    time: (
      title: string,
      iso: Get<T, string | null | undefined>,
      { isPast, ...options }: Options & { readonly isPast?: boolean } = {},
    ): Column<T> => ({
      title,
      cell: (row) => <Time iso={getter(iso)(row)} isPast={isPast} />,
      csv: getter(iso),
      right: true,
      ...options,
    }),
    /** A state by its word. */
    state: (title: string, value: Get<T, string | null>, options?: Options): Column<T> => ({
      title,
      cell: (row) => <Status value={getter(value)(row)} />,
      csv: getter(value),
      ...options,
    }),
    /** An address or a hash, shortened in the middle. */
    hash: (
      title: string,
      value: Get<T, string | null | undefined>,
      {
        label,
        length,
        chain,
        ...options
      }: Options & {
        readonly label?: Get<T, string | undefined>
        readonly length?: number
        readonly chain?: Get<T, string>
      } = {},
    ): Column<T> => ({
      title,
      cell: (row) => (
        <Hash
          value={getter(value)(row)}
          label={label && getter(label)(row)}
          length={length}
          chain={chain && getter(chain)(row)}
        />
      ),
      csv: getter(value),
      ...options,
    }),
    chain: (value: Get<T, string>, options?: Options): Column<T> => ({
      title: 'Chain',
      cell: (row) => chainName(getter(value)(row)),
      csv: getter(value),
      ...options,
    }),
    /** The buttons of a row; not in the CSV. */
    buttons: (title: string, cell: (row: T) => ReactNode): Column<T> => ({
      title,
      cell,
      right: true,
      screenOnly: true,
    }),
  }
}
