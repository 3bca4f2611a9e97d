import { Select } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/use-api.ts'
import { OFFERED, useSearch } from './use-search.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

interface Props<T, D> {
  readonly label: string
  /** The list that is chosen from; the service searches it by `q`. */
  readonly path: string
  /** Where the rows of a page are, if it is no bare list. */
  readonly rows?: (data: D) => { readonly items: readonly T[]; readonly total: number }
  readonly choiceOf: (row: T) => Choice
  readonly value: string | null
  readonly onChange: (value: string | null, row: T | undefined) => void
  /** Choices that are no row of the list; they come first. */
  readonly more?: readonly Choice[]
  /** Of a value that comes from the address: the path of its row. */
  readonly rowPath?: string | undefined
  readonly nothingFound?: string
  readonly placeholder?: string
  readonly size?: 'xs' | 'sm'
  readonly w?: number
  /** A filter: its name is read but not shown, and it can be emptied. */
  readonly isFilter?: boolean
  readonly required?: boolean
}

/**
 * A choice from a list that may be long: it holds the newest rows, and the service finds the others by what is typed.
 */
export function SearchSelect<T, D = readonly T[]>(props: Props<T, D>) {
  const { label, path, choiceOf, value, onChange, more = [], rowPath, isFilter } = props
  const rowsOf = ({ data, total }: Answer<D>) =>
    props.rows?.(data) ?? { items: data as readonly T[], total: total ?? (data as readonly T[]).length }
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<T>()
  const named = useApi<T>(rowPath ?? null)
  // The address may hold another value since, such as that of a saved view.
  const isChosen = chosen !== undefined && choiceOf(chosen).value === value
  const own = isChosen ? chosen : rowPath === undefined ? undefined : named.data?.data
  // A form is complete as soon as its value is there, so a required field must not look empty until the name is read.
  const isNameless = own === undefined && value && rowPath !== undefined && named.isPending
  const ownChoice = own !== undefined ? choiceOf(own) : isNameless ? { value, label: 'Loading' } : undefined
  // Once chosen, its name fills the field: that is not a search.
  const text = [ownChoice, ...more].some((each) => each?.label === typed) ? '' : typed.trim()
  const found = useSearch<D>(path, text)
  const { items: rows, total } = (found.data && rowsOf(found.data)) ?? { items: [], total: 0 }
  const choices = [...more, ...rows.map(choiceOf)]
  const isListed = ownChoice === undefined || choices.some((each) => each.value === ownChoice.value)
  const data = isListed ? choices : [...choices, ownChoice]
  return (
    <Select
      {...(isFilter ? { 'aria-label': label, placeholder: props.placeholder ?? label } : { label })}
      {...(!isFilter && total > OFFERED && { description: `The newest ${OFFERED} of ${total}: type to find others` })}
      data={data}
      value={data.some((each) => each.value === value) ? value : null}
      onChange={(next) => {
        const row = rows.find((each) => choiceOf(each).value === next) ?? own
        setChosen(next === null ? undefined : row)
        onChange(next, row)
      }}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={found.data ? (props.nothingFound ?? 'Nothing starts with this') : 'Searching…'}
      clearable={isFilter ?? false}
      allowDeselect={false}
      required={props.required ?? false}
      size={props.size ?? 'sm'}
      {...(props.w === undefined ? {} : { w: props.w })}
    />
  )
}
