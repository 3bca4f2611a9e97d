import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

interface DateInput {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly type: 'date' | 'text'
  readonly placeholder: string
  readonly onFocus: () => void
  readonly onPointerEnter: () => void
}

/**
 * Props of a field for a day that becomes one when somebody comes near it. To build the parts of such a field, the browser
 * reads its formats of dates, in one task that holds up a phone for longer than any part of the page.
 */
export function useDateInput(value: string, placeholder: string): DateInput {
  const ref = useRef<HTMLInputElement>(null)
  const [isNear, setIsNear] = useState(false)
  const approach = () => setIsNear(true)
  useLayoutEffect(() => {
    const field = ref.current
    if (!isNear || field === null || document.activeElement !== field) return
    // The focus moves to the first part of the day, which was not there when it came.
    field.blur()
    field.focus()
  }, [isNear])
  return {
    ref,
    type: isNear || value !== '' ? 'date' : 'text',
    placeholder,
    onFocus: approach,
    onPointerEnter: approach,
  }
}
