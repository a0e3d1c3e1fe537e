//! The engines of a predicate agree, and the generated one does not allocate for records.

use std::hint::black_box;

use allocation_counter::measure;
use anyhow::Result;
use watershed_benches::expressions::interpreter::Interpreter;
use watershed_benches::expressions::records::Records;
use watershed_benches::expressions::{Expression, native};

#[test]
fn every_engine_keeps_the_same_number_of_records() -> Result<()> {
    let records = Records::generate(1_000)?;
    for expression in Expression::ALL {
        let kept = expression.select(&records).finish().records();
        assert_eq!(native::count(expression, &records.bytes), kept);
        let interpreter = Interpreter::new(expression)?;
        assert_eq!(interpreter.count_borrowing(&records.decoded), kept);
        assert_eq!(interpreter.count_converting(&records.decoded), kept);
        expression.verify(&records)?;
    }
    Ok(())
}

/// The interpreter runs the predicate of the flow: only the names of the variables are shorter.
#[test]
fn both_texts_of_an_expression_say_the_same() {
    for expression in Expression::ALL {
        let short = expression
            .text()
            .replace(r#"log.attributes["team"]"#, "team")
            .replace("resource.attributes", "resource")
            .replace("log.", "");
        assert_eq!(short, expression.interpreted_text());
    }
}

/// The marks of what is kept grow by doubling, four times for ten times the records; the predicates add nothing.
#[test]
fn a_predicate_does_not_allocate_for_a_record() -> Result<()> {
    let few = Records::generate(1_000)?;
    let many = Records::generate(10_000)?;
    for expression in Expression::ALL {
        let few = measure(|| expression.run(&few)).count_total;
        let many = measure(|| expression.run(&many)).count_total;
        assert!(
            many <= few + 4,
            "{}: {few} allocations for 1,000 records, {many} for 10,000",
            expression.name()
        );
    }
    Ok(())
}

/// The counter itself works: the interpreter allocates for every record.
#[test]
fn the_interpreter_allocates_for_every_record() -> Result<()> {
    let records = Records::generate(1_000)?;
    let interpreter = Interpreter::new(Expression::AttributeEquals)?;
    let built = measure(|| {
        black_box(interpreter.count_converting(&records.decoded));
    });
    let built = built.count_total;
    assert!(built > 10_000, "{built} allocations");
    Ok(())
}
