import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

export const inputClasses =
  'w-full min-h-9 rounded-lg border border-line-strong/60 bg-surface px-3 py-1.5 text-sm text-ink placeholder:text-muted disabled:opacity-60 aria-invalid:border-danger'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** What is wrong with what was entered; said to screen readers too. */
  error?: string | undefined
  /** Shows the label to screen readers alone. */
  isLabelHidden?: boolean
  className?: string
  children(props: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }): ReactNode
}

/** A label, a control and what helps to fill it in. */
export function Field({ label, hint, error, isLabelHidden, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': Boolean(error) })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

type Shared = Omit<FieldProps, 'children'>

export function TextField({ label, hint, error, isLabelHidden, className, ...rest }: Shared & ComponentProps<'input'>) {
  const shared = { label, hint, error, isLabelHidden, className } as Shared
  return <Field {...shared}>{(props) => <input {...rest} {...props} className={inputClasses} />}</Field>
}

export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  ...rest
}: Shared & ComponentProps<'textarea'>) {
  const shared = { label, hint, error, isLabelHidden, className } as Shared
  return <Field {...shared}>{(props) => <textarea rows={3} {...rest} {...props} className={inputClasses} />}</Field>
}

export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  options,
  ...rest
}: Shared & ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }) {
  const shared = { label, hint, error, isLabelHidden, className } as Shared
  return (
    <Field {...shared}>
      {(props) => (
        <select {...rest} {...props} className={inputClasses}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Checkbox({ label, hint, ...rest }: ComponentProps<'input'> & { label: string; hint?: string }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        type="checkbox"
        {...rest}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
