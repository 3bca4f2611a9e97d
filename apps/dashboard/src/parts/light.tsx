import { Anchor, Group, Table, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, CSSProperties, MouseEvent, ReactNode } from 'react'

// The elements that Mantine and the router would write, without asking the theme and the address about each: a page has
// hundreds of them, and a phone shows it only when all of them are made.

type Size = 'xs' | 'sm' | 'md' | 'lg'
/** Dimmed, or as the text around it. */
type Color = 'dimmed' | 'inherit'

interface TextProps extends Omit<ComponentProps<'span'>, 'color' | 'ref'> {
  readonly as?: 'span' | 'p' | 'div'
  readonly size?: Size | undefined
  readonly c?: Color | undefined
  readonly fw?: number | undefined
  readonly ff?: 'monospace' | undefined
  /** The size of the text around it. */
  readonly inherit?: boolean
}

const COLORS: Readonly<Record<Color, string>> = { dimmed: 'var(--mantine-color-dimmed)', inherit: 'inherit' }
const TEXT = `mantine-focus-auto mantine-Text-root ${Text.classes.root}`
const ANCHOR = `${TEXT} mantine-Anchor-root ${Anchor.classes.root}`
const GROUP = `mantine-Group-root ${Group.classes.root}`

const named = (own: string, given: string | undefined): string => (given === undefined ? own : `${own} ${given}`)
const textStyle = ({ size, c, fw, ff }: Pick<TextProps, 'size' | 'c' | 'fw' | 'ff'>): CSSProperties => ({
  ...(size && {
    '--text-fz': `var(--mantine-font-size-${size})`,
    '--text-lh': `var(--mantine-line-height-${size})`,
  }),
  ...(c && { color: COLORS[c] }),
  ...(fw && { fontWeight: fw }),
  ...(ff && { fontFamily: 'var(--mantine-font-family-monospace)' }),
})

/** Text, as Mantine's. */
export function LightText({ as: Element = 'p', size, c, fw, ff, inherit, className, style, ...rest }: TextProps) {
  return (
    <Element
      className={named(TEXT, className)}
      style={{ ...textStyle({ size, c, fw, ff }), ...style }}
      data-size={size}
      data-inherit={inherit || undefined}
      {...(rest as object)}
    />
  )
}

interface GroupProps extends Omit<ComponentProps<'div'>, 'ref'> {
  readonly gap?: Size | number
  readonly align?: 'center' | 'flex-end'
  readonly justify?: 'flex-start' | 'flex-end' | 'space-between'
  readonly wrap?: 'wrap' | 'nowrap'
}

/** Things side by side, as Mantine's group. */
export function LightGroup({ gap = 'md', align, justify, wrap, className, style, ...rest }: GroupProps) {
  const vars = {
    '--group-gap':
      typeof gap === 'number' ? `calc(${gap / 16}rem * var(--mantine-scale))` : `var(--mantine-spacing-${gap})`,
    '--group-align': align ?? 'center',
    '--group-justify': justify ?? 'flex-start',
    '--group-wrap': wrap ?? 'wrap',
  }
  return <div className={named(GROUP, className)} style={{ ...vars, ...style } as CSSProperties} {...rest} />
}

interface PageLinkProps {
  readonly to: string
  readonly search?: Readonly<Record<string, string | number>>
  readonly size?: Size
  readonly c?: Color
  readonly underline?: 'hover' | 'always'
  readonly children: ReactNode
}

/** A link to a page of the dashboard. What it leads to loads as soon as somebody comes near it. */
export function PageLink({ to, search, size, c, underline = 'hover', children }: PageLinkProps) {
  const router = useRouter()
  const target = { to, search } as never
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (!isPlain || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate(target)
  }
  // What cannot be loaded yet is loaded with the click.
  const prepare = () => void router.preloadRoute(target).catch(() => undefined)
  return (
    <a
      href={search === undefined ? to : `${to}${router.options.stringifySearch(search)}`}
      className={ANCHOR}
      style={textStyle({ size, c })}
      data-size={size}
      data-underline={underline}
      onClick={follow}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      {children}
    </a>
  )
}

/** The classes of the parts of Mantine's tables, for plain elements. */
export const TABLE = {
  thead: `mantine-Table-thead ${Table.classes.thead}`,
  tbody: `mantine-Table-tbody ${Table.classes.tbody}`,
  tr: `mantine-Table-tr ${Table.classes.tr}`,
  th: `mantine-Table-th ${Table.classes.th}`,
  td: `mantine-Table-td ${Table.classes.td}`,
} as const
