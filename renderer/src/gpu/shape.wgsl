// A box filled with a gradient (0), a shadow (1) or a texture (2). All lengths are physical pixels of the target, except that a
// texture's box is its mask in its own pixels.
struct Shape {
    box: vec4<f32>,
    radii: vec4<f32>,
    hole: vec4<f32>,
    hole_radii: vec4<f32>,
    // The shadow's colour, or the matrix from the target's pixels to the texture's.
    color: vec4<f32>,
    // The gradient's line (start, step right, step down, stops), or the matrix's shift.
    line: vec4<f32>,
    // Kind, deviation of the blur, nothing, opacity.
    kind: vec4<f32>,
    stops: array<vec4<f32>, 8>,
    offsets: array<vec4<f32>, 2>,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var layer: texture_2d<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;

// One triangle over the whole viewport, which is the shape's box.
@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    let x = f32(i & 1u) * 4.0 - 1.0;
    let y = f32(i >> 1u) * 4.0 - 1.0;
    return vec4<f32>(x, y, 0.0, 1.0);
}

// The radius of the corner `p` (from the middle) is nearest to.
fn radius_at(p: vec2<f32>, radii: vec4<f32>) -> f32 {
    let top = select(radii.x, radii.y, p.x > 0.0);
    let bottom = select(radii.w, radii.z, p.x > 0.0);
    return select(top, bottom, p.y > 0.0);
}

// How much of the pixel at `p` lies inside a rounded box.
fn inside(p: vec2<f32>, b: vec4<f32>, radii: vec4<f32>) -> f32 {
    let half_size = b.zw * 0.5;
    let q = p - b.xy - half_size;
    let r = radius_at(q, radii);
    let d = abs(q) - half_size + r;
    let far = min(max(d.x, d.y), 0.0) + length(max(d, vec2<f32>(0.0))) - r;
    return clamp(0.5 - far, 0.0, 1.0);
}

// The area under the bell curve left of `x` deviations, doubled and centred on zero.
fn erf(x: f32) -> f32 {
    let a = abs(x);
    let t = 1.0 + (0.278393 + (0.230389 + (0.000972 + 0.078108 * a) * a) * a) * a;
    let t2 = t * t;
    return sign(x) * (1.0 - 1.0 / (t2 * t2));
}

// A rounded box under a bell curve: exact across, summed up down the rows that reach the pixel.
fn blurred(p: vec2<f32>, b: vec4<f32>, radii: vec4<f32>, deviation: f32) -> f32 {
    let half_size = b.zw * 0.5;
    let q = p - b.xy - half_size;
    let r = radius_at(q, radii);
    let first = max(-3.0 * deviation, -half_size.y - q.y);
    let last = min(3.0 * deviation, half_size.y - q.y);
    let steps = 24.0;
    let step = (last - first) / steps;
    if step <= 0.0 {
        return 0.0;
    }
    var sum = 0.0;
    for (var i = 0.0; i < steps; i += 1.0) {
        let y = first + (i + 0.5) * step;
        let into_corner = max(abs(q.y + y) - (half_size.y - r), 0.0);
        let reach = half_size.x - r + sqrt(max(r * r - into_corner * into_corner, 0.0));
        let k = 0.70710678 / deviation;
        let across = 0.5 * (erf((q.x + reach) * k) - erf((q.x - reach) * k));
        let bell = exp(-y * y / (2.0 * deviation * deviation)) / (deviation * 2.5066283);
        sum += across * bell * step;
    }
    return sum;
}

fn gradient(p: vec2<f32>) -> vec4<f32> {
    let t = clamp(shape.line.x + shape.line.y * p.x + shape.line.z * p.y, 0.0, 1.0);
    let count = i32(shape.line.w);
    var color = shape.stops[0];
    for (var i = 1; i < count; i += 1) {
        let a = shape.offsets[(i - 1) / 4][(i - 1) % 4];
        let b = shape.offsets[i / 4][i % 4];
        if t >= a {
            let f = clamp((t - a) / max(b - a, 1e-6), 0.0, 1.0);
            color = mix(shape.stops[i - 1], shape.stops[i], f);
        }
    }
    return color;
}

@fragment
fn pixel(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let p = at.xy;
    if shape.kind.x < 0.5 {
        return gradient(p) * inside(p, shape.box, shape.radii);
    }
    if shape.kind.x < 1.5 {
        var cover = 0.0;
        if shape.kind.y < 0.05 {
            cover = inside(p, shape.box, shape.radii);
        } else {
            cover = blurred(p, shape.box, shape.radii, shape.kind.y);
        }
        return shape.color * cover * (1.0 - inside(p, shape.hole, shape.hole_radii));
    }
    let m = shape.color;
    let q = vec2<f32>(m.x * p.x + m.y * p.y, m.z * p.x + m.w * p.y) + shape.line.xy;
    let size = vec2<f32>(textureDimensions(layer));
    // Transparent all around, as the content is.
    let edge = clamp(0.5 + min(q, size - q), vec2<f32>(0.0), vec2<f32>(1.0));
    let color = textureSampleLevel(layer, smooth_sampler, q / size, 0.0);
    return color * edge.x * edge.y * inside(q, shape.box, shape.radii) * shape.kind.w;
}
