//! Numbers in the schema of scene files.

use super::check::largest;
use super::{Number, Numbers, Open, Tensor};
use crate::quantity::*;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

impl JsonSchema for Open {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Open".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "oneOf": [{ "type": "number" }, { "type": "string" }] })
    }
}

/// A number of a quantity: in SI units within its range, or text with a unit.
impl<Q: Quantity> JsonSchema for Number<Q> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let most = largest(Q::DIMENSION);
        let mut number = json_schema!({ "type": "number", "maximum": most });
        match Q::BOUNDS {
            Bounds::Any => number.insert("minimum".to_string(), (-most).into()),
            Bounds::Positive => number.insert("exclusiveMinimum".to_string(), 0.into()),
            Bounds::NotNegative => number.insert("minimum".to_string(), 0.into()),
            Bounds::Share => {
                number.insert("maximum".to_string(), 1.into());
                number.insert("minimum".to_string(), 0.into())
            }
        };
        json_schema!({
            "oneOf": [number, { "type": "string" }],
            "x-unit": Q::MEASURE.to_string(),
            "x-dimension": Q::MEASURE.name(),
        })
    }
}

/// A vector; lists of other lengths use [`List`], [`Two`] and [`Four`].
impl<Q: Quantity> JsonSchema for Numbers<Q> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let number = Number::<Q>::json_schema(generator);
        json_schema!({ "type": "array", "items": number, "minItems": 3, "maxItems": 3 })
    }
}

impl JsonSchema for Tensor {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Tensor".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let moment = Number::<Inertia>::json_schema(generator);
        let row = Numbers::<Inertia>::json_schema(generator);
        json_schema!({
            "type": "array",
            "items": { "anyOf": [moment, row] },
            "minItems": 3,
            "maxItems": 3,
            "x-unit": Inertia::DIMENSION.to_string(),
            "x-dimension": Inertia::DIMENSION.name(),
        })
    }
}
